/** Lists of providers that are long, or that go round: a provider may name a page again, or answer every page with the same entries. */
import { createSources, findLostEvents } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { SourceAccess } from '../../packages/core/src/sources/port/port.ts';
import { Carousel, ROUND } from '../support/carousel.ts';
import * as dodo from '../support/dodo-server/objects.ts';
import * as lemon from '../support/lemon-squeezy-server/objects.ts';
import { customer as paddleCustomer, transaction } from '../support/paddle-server/objects.ts';
import { PaddleServer } from '../support/paddle-server/paddle-server.ts';
import { customer as stripeCustomer, wireEvent } from '../support/psp-server/index.ts';
import { startService, type TestService } from '../support/service.ts';
import * as woo from '../support/woocommerce-server/objects.ts';

const AT = '2026-11-01T10:00:00.000Z';
const hundred = <Item>(of: (i: number) => Item) => Array.from({ length: 100 }, (_, i) => of(i));
/** Returns a hundred entries for each of the different pages. */
const pages = <Item>(of: (i: number) => Item) => Array.from({ length: ROUND }, () => hundred(of));

const PAYMENTS = pages(() => dodo.payment({ at: AT, customer: dodo.customer('grace@example.com'), total: 100 }));
const WEBHOOKS = pages((i) => ({ id: `ep_${i}`, url: 'https://x.example', description: '', disabled: false, filter_types: [] }));
const INVOICES = pages(() => lemon.order({ at: AT, storeId: 7, buyer: lemon.buyer('grace@example.com'), net: 100 }));
const ORDERS = pages(() =>
  woo.order({ at: AT, buyer: { id: 0, email: 'grace@example.com' }, items: [{ net: '1.00' }], total: '1.00' }),
);
const EVENTS = pages(() => wireEvent('customer.updated', stripeCustomer(), { created: Date.parse(AT) / 1_000 }));
const pageInfo = (turn: number) => ({ hasNextPage: true, endCursor: `cursor_${turn}` });

/** A key of each provider, its lists of what has changed, and its list of endpoints. */
const PROVIDERS: Record<string, { key: string; changed: Carousel['pageAt']; endpoints?: Carousel['pageAt'] }> = {
  stripe: { key: 'sk_test_1', changed: (turn) => ({ object: 'list', url: '/v1/events', has_more: true, data: EVENTS[turn] }) },
  paddle: {
    key: `pdl_live_apikey_${'1'.repeat(26)}_secret_AQO`,
    changed: (turn) => ({ data: [], meta: { pagination: { has_more: true, next: `https://x.example/?after=txn_${turn}` } } }),
    endpoints: (turn) => ({ data: [], meta: { pagination: { has_more: true, next: `https://x.example/?after=ntf_${turn}` } } }),
  },
  dodo: {
    key: 'd'.repeat(30),
    changed: (turn) => ({ items: PAYMENTS[turn] }),
    endpoints: (turn) => ({ data: WEBHOOKS[turn], done: false, iterator: `it_${turn}` }),
  },
  polar: {
    key: 'polar_oat_1',
    changed: () => ({ items: [], pagination: { max_page: 1_000_000 } }),
    endpoints: () => ({ items: [], pagination: { max_page: 1_000_000 } }),
  },
  lemon_squeezy: {
    key: JSON.stringify({ api_key: 'l'.repeat(30), store_id: '7' }),
    changed: (turn) => ({ data: INVOICES[turn] }),
    endpoints: (turn) => ({
      data: INVOICES[turn]!.map(({ id }) => ({ id, type: 'webhooks', attributes: { url: 'https://x.example', events: [] } })),
    }),
  },
  shopify: {
    key: JSON.stringify({ shop: 'shop', client_id: 'c'.repeat(32), client_secret: `shpss_${'s'.repeat(32)}` }),
    changed: (turn) => ({ data: { orders: { nodes: [], pageInfo: pageInfo(turn) } } }),
    endpoints: (turn) => ({ data: { webhookSubscriptions: { nodes: [], pageInfo: pageInfo(turn) } } }),
  },
  woocommerce: {
    key: JSON.stringify({
      store_url: 'shop.example',
      consumer_key: `ck_${'1'.repeat(40)}`,
      consumer_secret: `cs_${'1'.repeat(40)}`,
    }),
    changed: (turn) => ORDERS[turn],
    endpoints: (turn) =>
      ORDERS[turn]!.map(({ id }) => ({
        id,
        name: 'a',
        status: 'active',
        topic: 'order.updated',
        delivery_url: 'https://x.example',
      })),
  },
};

describe('a list that goes round', () => {
  let double: Carousel;
  beforeAll(async () => {
    double = await new Carousel().start();
  });
  afterAll(() => double.stop());

  const open = async (kind: string): Promise<SourceAccess> => {
    const base = double.url;
    const apiBases = Object.fromEntries(Object.keys(PROVIDERS).map((name) => [name, base]));
    const scope = {
      db: null as never,
      accountId: 'acct_1',
      connectionId: 'psp_1',
      mode: 'live',
      now: () => new Date(AT),
    } as const;
    return createSources({ apiBase: base, apiBases }).get(kind)!.open(PROVIDERS[kind]!.key, {}, scope);
  };

  it('belongs to every source with an API', () => {
    const withApi = [...createSources().values()].filter(({ fields }) => fields.length > 0);
    expect(Object.keys(PROVIDERS).toSorted()).toEqual(withApi.map(({ kind }) => kind).toSorted());
  });

  it.each(Object.keys(PROVIDERS))('of what has changed at %s ends the reading with its reason', async (kind) => {
    double.pageAt = PROVIDERS[kind]!.changed;
    const access = await open(kind);
    const before = double.requests.length;
    const read = async () => {
      for await (const { events } of access.since(new Date(AT))) expect(events.length).toBeLessThanOrEqual(100);
    };
    await expect(read()).rejects.toMatchObject({ reason: 'rejected', message: expect.stringContaining('in a circle') });
    expect(double.requests.length - before).toBeLessThanOrEqual(4 * ROUND);
  });

  it.each(Object.keys(PROVIDERS).filter((kind) => PROVIDERS[kind]!.endpoints))(
    'of endpoints at %s ends the reading with its reason',
    async (kind) => {
      double.pageAt = PROVIDERS[kind]!.endpoints!;
      const { endpoints } = await open(kind);
      await expect(endpoints!.allEndpoints()).rejects.toMatchObject({ message: expect.stringContaining('in a circle') });
    },
  );
});

describe('a look at a long list', () => {
  let paddle: PaddleServer;
  let service: TestService;
  beforeAll(async () => {
    paddle = await new PaddleServer().start();
    const sources = createSources({ apiBase: 'http://127.0.0.1:9', apiBases: { paddle: paddle.url } });
    service = await startService({ sources, writesRows: true });
  });
  afterAll(async () => {
    await service.stop();
    await paddle.stop();
  });

  beforeEach(async () => {
    // The connections of other tests have their turns first.
    await service.services.database.kysely.updateTable('connection').set({ looked_at: '2999-01-01T00:00:00.000Z' }).execute();
  });

  const isList = (request: string) => request.startsWith('GET /transactions?updated_at');

  /** Connects an account, which then sells without a delivery. */
  async function shopWith(sales: number) {
    const account = await service.createAccount();
    const at = paddle.addAccount();
    const body = { source: 'paddle', credentials: { api_key: at.key } };
    const { status, body: connection } = await account.api.send('POST', '/api/settings/v1/connections', { body });
    expect(status).toBe(201);
    const buyer = paddleCustomer('grace@example.com', service.clock.instant());
    at.customers.set(buyer.id, buyer);
    const sell = (times: number) => {
      for (let i = 0; i < times; i += 1) {
        const lines = [{ product: 'a', subtotal: 1_000 }];
        const sold = transaction({ at: service.clock.instant(), customerId: buyer.id, lines });
        at.transactions.set(sold.id, sold);
      }
    };
    sell(sales);
    const count = async () => {
      const rows = service.services.database.kysely.selectFrom('sale').select('id').where('account_id', '=', account.id);
      return (await rows.execute()).length;
    };
    return { sell, count, connectionId: String(connection['id']) };
  }

  /** Looks once, and is cut off after a number of events. */
  async function lookAt(events: number): Promise<number> {
    let left = events;
    return findLostEvents(service.services, () => (left -= 1) < 0);
  }

  const unfinished = async (id: string) => {
    const { kysely } = service.services.database;
    const row = kysely.selectFrom('connection').select(['unfinished_look', 'complete_until']).where('id', '=', id);
    return row.executeTakeFirstOrThrow();
  };

  test('that is cut off again and again goes on where it was, and reads each page twice at most', async () => {
    const shop = await shopWith(130);
    service.clock.advance(50, 'minutes');
    const started = service.clock.instant();
    const before = paddle.requests.length;
    let looks = 0;
    for (let left = true; left; looks += 1) {
      await lookAt(35);
      service.clock.advance(1, 'minutes');
      left = (await unfinished(shop.connectionId)).unfinished_look !== null;
    }
    expect(looks).toBeGreaterThan(3);
    expect(await shop.count()).toBe(130);
    expect(paddle.requests.slice(before).filter(isList).length).toBeLessThanOrEqual(Math.ceil(130 / 30) + looks);
    // The next look begins where this one began.
    expect(await unfinished(shop.connectionId)).toEqual({ unfinished_look: null, complete_until: started });
  });

  test('leaves their turns to other connections', async () => {
    const [long, short] = [await shopWith(0), await shopWith(0)];
    await findLostEvents(service.services);
    long.sell(70);
    short.sell(1);
    service.clock.advance(50, 'minutes');
    await lookAt(10);
    expect(await short.count()).toBe(0);
    await lookAt(10);
    expect(await long.count()).toBeLessThan(70);
    expect(await short.count()).toBe(1);
    await findLostEvents(service.services);
    expect(await long.count()).toBe(70);
  });

  test('begins anew if the provider has forgotten the place', async () => {
    const shop = await shopWith(70);
    service.clock.advance(50, 'minutes');
    await lookAt(40);
    expect(await unfinished(shop.connectionId)).toMatchObject({ unfinished_look: { place: expect.stringContaining('txn_') } });
    paddle.troubles.push((response) => response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":{}}'));
    await findLostEvents(service.services);
    expect(await unfinished(shop.connectionId)).toMatchObject({ unfinished_look: null });
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    expect(await shop.count()).toBe(70);
  });
});
