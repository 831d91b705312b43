import { createSources, findLostEvents, repairPspEndpoints } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { blocksOf } from '../readme/manuals.ts';
import { type Fields, send } from '../support/http.ts';
import { type Program, program, refer } from '../support/program.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import {
  type Buyer,
  gmt,
  type NewOrder,
  type NewRefund,
  order,
  refund,
  type WooOrder,
} from '../support/woocommerce-server/objects.ts';
import { differences } from '../support/woocommerce-server/published-schema.ts';
import { shownOf, WooCommerceServer, wooSignature, type WooShop } from '../support/woocommerce-server/woocommerce-server.ts';
import { tellAttacks } from './attacks.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let woo: WooCommerceServer;
let service: TestService;

beforeAll(async () => {
  woo = await new WooCommerceServer().start();
  const apiBases = { woocommerce: woo.url };
  const sources = createSources({ apiBase: 'http://127.0.0.1:9', apiBases });
  service = await startService({ sources, writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await woo.stop();
});

const PATH = '/api/settings/v1/connections';

/** A merchant with a WooCommerce shop. */
class WooMerchant extends Shop<object> {
  readonly at: WooShop;
  buyer: Buyer = { id: 7, email: 'grace@example.com' };
  meta: Record<string, unknown>;

  constructor(account: TestAccount, friends: Program, at: WooShop, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
    this.meta = { _referral: friends.link.token };
  }

  static async open(choices: Fields = {}): Promise<WooMerchant> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = woo.addShop();
    const { status, body, text } = await connect(account, at);
    if (status !== 201) throw new Error(`Connecting answered ${status}: ${text}`);
    if (Object.keys(choices).length > 0) {
      const changed = await account.api.send('PATCH', `${PATH}/${body.id}`, { body: { choices } });
      if (changed.status !== 200) throw new Error(changed.text);
    }
    return new WooMerchant(account, friends, at, body);
  }

  emit(sold: WooOrder): void {
    this.events.push(structuredClone(sold));
  }

  sell(of: Omit<NewOrder, 'at' | 'buyer'>): WooOrder {
    const sold = order({ meta: this.meta, ...of, at: this.now, buyer: this.buyer });
    this.at.orders.push(sold);
    this.emit(sold);
    return sold;
  }

  change(of: WooOrder, changes: Partial<WooOrder>): void {
    Object.assign(of, changes, { date_modified_gmt: gmt(this.now) });
    this.emit(of);
  }

  refund(of: WooOrder, terms: Omit<NewRefund, 'at'>, changes: Partial<WooOrder> = {}): void {
    this.at.refunds.set(of.id, [...(this.at.refunds.get(of.id) ?? []), refund(of, { ...terms, at: this.now })]);
    this.change(of, changes);
  }

  /** Deletes the refunds of an order, which does not change the order. */
  deleteRefunds(of: WooOrder): void {
    this.at.refunds.delete(of.id);
    of.refunds = [];
    this.emit(of);
  }

  get secret(): string {
    return this.at.webhooks.at(-1)!.secret;
  }

  headersOf(body: string, secret: string): Record<string, string> {
    return { 'x-wc-webhook-signature': wooSignature(body, secret) };
  }

  async deliver(told: object, { secret = this.at.webhooks.at(-1)!.secret, signature = '' } = {}) {
    const body = JSON.stringify(told);
    const headers = { 'x-wc-webhook-signature': signature || wooSignature(body, secret), 'x-wc-webhook-topic': 'order.updated' };
    return send(this.url, 'POST', { raw: body, headers });
  }
}

function connect(account: TestAccount, { url, key, secret }: Pick<WooShop, 'url' | 'key' | 'secret'>, more: Fields = {}) {
  const credentials = { store_url: url, consumer_key: key, consumer_secret: secret };
  return account.api.send<Connected>('POST', PATH, { body: { source: 'woocommerce', credentials }, ...more });
}

const pro = { net: '100.00', tax: '20.00' };

const STORIES: Record<string, Story<WooMerchant>> = {
  'a sale with tax, a coupon, and shipping and a fee that do not earn': {
    tells: ['sale'],
    happens: (shop) =>
      shop.sell({
        items: [{ net: '90.00', tax: '18.00' }],
        shipping: [{ net: '5.00', tax: '1.00' }],
        fees: [{ net: '2.00' }],
        total: '116.00',
        totalTax: '19.00',
        coupons: ['ten'],
      }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'an order that is paid later': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00', isPaid: false });
      shop.pass();
      shop.change(sold, { status: 'processing', date_paid_gmt: gmt(shop.now) });
      shop.pass();
      shop.change(sold, { status: 'completed' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a subscription with a renewal': {
    tells: ['renewal'],
    happens: (shop) => {
      shop.sell({ items: [{ net: '33.33', tax: '6.67' }], total: '40.00' });
      shop.pass();
      const meta = { _subscription_renewal: '77' };
      shop.sell({ items: [{ net: '33.33', tax: '6.67' }], total: '40.00', createdVia: 'subscription', meta });
    },
    sales: ['4000 667 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending ', '667 USD pending '],
  },
  'a free trial with its first payment': {
    tells: ['trial of 0'],
    happens: (shop) => {
      shop.sell({ items: [{ net: '0.00' }], total: '0.00' });
      shop.pass();
      shop.sell({ items: [pro], total: '120.00', createdVia: 'subscription', meta: { _subscription_renewal: '77' } });
    },
    sales: ['0 0 0 USD true', '12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'an upgrade with a fee below zero': {
    tells: ['negative lines'],
    happens: (shop) => shop.sell({ items: [pro], fees: [{ net: '-40.00', tax: '-8.00' }], total: '72.00' }),
    sales: ['7200 1200 0 USD true'],
    commissions: ['1200 USD pending '],
  },
  'a partial refund with lines, of goods and of shipping': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ net: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, { amount: '40.00', items: [{ net: '-25.00', tax: '-5.00' }], shipping: [{ net: '-10.00' }] });
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'two partial refunds of an amount, of which the goods have their share': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ net: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, { amount: '13.00' });
      shop.pass();
      shop.refund(sold, { amount: '13.00' });
    },
    sales: ['12000 2000 2400 USD true'],
    commissions: ['1600 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], shipping: [{ net: '10.00' }], total: '130.00' });
      shop.pass();
      shop.refund(sold, { amount: '130.00' }, { status: 'refunded' });
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund that is deleted': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.refund(sold, { amount: '60.00' });
      shop.pass();
      shop.deleteRefunds(sold);
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a paid order that is cancelled after a partial refund': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.refund(sold, { amount: '60.00' });
      shop.pass();
      shop.change(sold, { status: 'cancelled' });
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a paid order that waits, e.g. because of a dispute': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.change(sold, { status: 'on-hold' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is won': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.change(sold, { status: 'on-hold' });
      shop.pass();
      shop.change(sold, { status: 'processing' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a guest, and a changed address': {
    tells: ['guest', 'changed address'],
    happens: (shop) => {
      shop.buyer = { id: 0, email: 'grace@example.com' };
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.change(sold, { billing: { ...sold.billing, email: 'hopper@example.com' } });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a sale in yen, with decimals': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell({ items: [{ net: '1000.00', tax: '100.00' }], total: '1100.00', currency: 'JPY' }),
    sales: ['1100 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a sale in dinars': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell({ items: [{ net: '12.345' }], total: '12.345', currency: 'KWD' }),
    sales: ['12345 0 0 KWD true'],
    commissions: ['2469 KWD pending '],
  },
  'an order that is not paid': {
    tells: [],
    happens: (shop) => shop.sell({ items: [pro], total: '120.00', isPaid: false, status: 'on-hold' }),
    sales: [],
    commissions: [],
  },
  'a paid order that is cancelled, and processed again': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ items: [pro], total: '120.00' });
      shop.pass();
      shop.change(sold, { status: 'cancelled' });
      shop.pass();
      shop.change(sold, { status: 'processing' });
    },
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await WooMerchant.open();
      shop.meta = {};
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) => shop.sell({ items: [{ net: '90.00', tax: '18.00' }], total: '108.00', coupons: ['ada20'] }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

tellStories({
  open: () => WooMerchant.open(),
  stories: STORIES,
  without: {
    'test payment': 'A shop with WooCommerce has no test mode: a copy of it is connected to a test account.',
  },
});

tellAttacks({
  open: () => WooMerchant.open(),
  sell: (shop, meta) => {
    shop.meta = meta;
    shop.sell({ items: [{ net: '10.00' }], total: '10.00' });
  },
  without: { 'an old delivery': 'The signature has no time: a delivery is a hint, and what it is about is read.' },
});

describe('the choices of a connection', () => {
  const sale = {
    items: [pro],
    shipping: [{ net: '10.00', tax: '2.00' }],
    fees: [{ net: '5.00' }],
    total: '137.00',
    totalTax: '22.00',
  };

  it('let shipping and fees earn, whose refund then counts', async () => {
    const shop = await WooMerchant.open({ shipping: 'count', fees: 'count' });
    const sold = shop.sell(sale);
    shop.pass();
    shop.refund(sold, { amount: '12.00', shipping: [{ net: '-10.00', tax: '-2.00' }] });
    for (const event of shop.events) await shop.deliver(event);
    expect(await shop.rows()).toMatchObject({ sales: ['13700 2200 1200 USD true'], commissions: ['2100 USD pending '] });
  });

  it('exclude orders that were made by hand', async () => {
    for (const [manual_orders, commissions] of [
      ['count', ['2000 USD pending ']],
      ['exclude', []],
    ] as const) {
      const shop = await WooMerchant.open({ manual_orders });
      shop.sell({ ...sale, createdVia: 'admin' });
      await shop.deliver(shop.events[0]!);
      expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'], commissions });
    }
  });

  it('are shown with their options, and others are refused', async () => {
    const shop = await WooMerchant.open();
    const { body: sources } = await shop.account.api.send<{ data: Fields[] }>('GET', `${PATH}/sources`);
    expect(sources.data.find(({ source }) => source === 'woocommerce')).toMatchObject({
      choices: expect.arrayContaining([{ name: 'shipping', options: ['exclude', 'count'] }]),
    });
    const change = (choices: Fields) => shop.account.api.send('PATCH', `${PATH}/${shop.connection.id}`, { body: { choices } });
    expect(shop.connection['choices']).toEqual({ shipping: 'exclude', fees: 'exclude', manual_orders: 'count' });
    expect((await change({ fees: 'count' })).body).toMatchObject({ choices: { shipping: 'exclude', fees: 'count' } });
    const refused: Record<string, string>[] = [
      { fees: 'some' },
      { tips: 'count' },
      { constructor: 'count' },
      { fees: 'constructor' },
    ];
    for (const wrong of refused)
      expect(await change(wrong)).toMatchObject({
        status: 422,
        body: { details: [{ path: `choices.${Object.keys(wrong)[0]}` }] },
      });
  });
});

describe('who sent the customer', () => {
  const attributed = (name: string, value: string) => ({ [`_wc_order_attribution_${name}`]: value });
  it.each<[string, (token: string) => Record<string, unknown>]>([
    ['metadata of the order', (token) => ({ _affiliate_referral: token })],
    ['a field of the checkout', (token) => ({ '_wc_other/affiliate/referral': token })],
    ['a campaign', (token) => ({ ...attributed('utm_source', 'affiliate'), ...attributed('utm_campaign', token) })],
    ['the landing page', (token) => attributed('session_entry', `https://shop.example.com/?via=${token}`)],
  ])('is said by %s', async (_, meta) => {
    const shop = await WooMerchant.open();
    shop.meta = meta(shop.friends.link.token);
    shop.sell({ items: [pro], total: '120.00' });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ commissions: ['2000 USD pending '] });
  });

  it('is said by the lines of the guide, which write the cookie of the script into the order', async () => {
    const [lines] = blocksOf('docs/woocommerce.md').filter(({ language }) => language === 'php');
    const written = [
      ...lines!.code.matchAll(/\$order->update_meta_data\('(\w+)', sanitize_text_field\(\$_COOKIE\['(\w+)'\]\)\)/g),
    ];
    expect(written).toHaveLength(2);
    for (const [, key, cookie] of written) {
      expect(cookie).toBe('affiliate_referral');
      const shop = await WooMerchant.open();
      shop.meta = { [key!]: (await refer(shop.account, shop.friends)).id };
      shop.pass();
      shop.sell({ items: [pro], total: '120.00' });
      await shop.deliver(shop.events[0]!);
      expect(await shop.rows()).toMatchObject({ commissions: ['2000 USD pending '] });
    }
  });

  it.each<[string, (token: string) => Record<string, unknown>]>([
    ['a campaign of another source', (token) => ({ ...attributed('utm_source', 'news'), ...attributed('utm_campaign', token) })],
    ['an exclusion', (token) => ({ referral: token, affiliate: 'false' })],
  ])('is nobody by %s', async (_, meta) => {
    const shop = await WooMerchant.open();
    shop.meta = meta(shop.friends.link.token);
    shop.sell({ items: [pro], total: '120.00' });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'], commissions: [] });
  });
});

describe('the connection', () => {
  it('creates its webhook with a secret, and enables it again', async () => {
    const shop = await WooMerchant.open();
    expect(shop.connection).toMatchObject({
      provider_account_id: shop.at.url.replace('https://', ''),
      provider_account_name: 'Shop',
    });
    const [webhook] = shop.at.webhooks;
    expect(webhook).toMatchObject({ topic: 'order.updated', status: 'active', name: `Affiliate program (${shop.account.id})` });
    webhook!.status = 'disabled';
    service.clock.advance(2, 'days');
    await repairPspEndpoints(service.services);
    expect(webhook!.status).toBe('active');
  });

  it('refuses keys that the shop does not know, and addresses without encryption', async () => {
    const account = await service.createAccount();
    const { url: address, key: known, secret: right } = woo.addShop();
    const shop = { url: address, key: known, secret: right };
    const other = woo.addShop();
    const wrong = [
      { ...shop, secret: other.secret },
      { ...shop, key: 'short' },
      { ...shop, url: 'http://shop.example.com' },
      { ...shop, url: 'https://user:word@shop.example.com' },
      { ...shop, url: 'javascript:alert(1)' },
      { ...shop, url: 'https://shop.example.com/?a=b' },
    ];
    for (const { url, key, secret } of wrong)
      expect(await connect(account, { url, key, secret })).toMatchObject({
        status: 422,
        body: { details: [{ path: 'credentials' }] },
      });
  });

  it('of a test account makes test sales', async () => {
    const account = await service.createAccount();
    const headers = { 'X-Livemode': 'false' };
    const { body } = await connect(account, woo.addShop(), { headers });
    expect(body).toMatchObject({ livemode: false });
  });
});

describe('a shop whose address is not public', () => {
  it.each(['https://127.0.0.1', 'https://10.0.0.7', 'https://[::1]', 'https://169.254.169.254', 'https://localhost'])(
    'at %s is not asked',
    async (url) => {
      const { createPublicFetch } = await import('@affiliate/worker/read-page');
      const guard = { resolve: () => Promise.resolve(['127.0.0.1']), allowed: [] as never };
      const sources = createSources({ fetchPublic: createPublicFetch(guard) });
      const { key, secret } = woo.shops[0] ?? woo.addShop();
      const before = woo.requests.length;
      const credentials = JSON.stringify({ store_url: url, consumer_key: key, consumer_secret: secret });
      await expect(sources.get('woocommerce')!.connect(credentials)).rejects.toMatchObject({ reason: 'rejected' });
      expect(woo.requests).toHaveLength(before);
    },
  );
});

describe('a delivery', () => {
  it('is refused if it is forged, or of another connection', async () => {
    const [shop, other] = [await WooMerchant.open(), await WooMerchant.open()];
    shop.sell({ items: [pro], total: '120.00' });
    const cut = wooSignature(JSON.stringify(shop.events[0]), shop.at.webhooks[0]!.secret).slice(0, 20);
    const attempts = [{ secret: 'forged' }, { secret: other.at.webhooks[0]!.secret }, { signature: cut }, { signature: 'x' }];
    for (const attempt of attempts)
      expect(await shop.deliver(shop.events[0]!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('that only checks the address is answered, and stores nothing', async () => {
    const shop = await WooMerchant.open();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await send(shop.url, 'POST', { raw: 'webhook_id=12', headers })).toMatchObject({ status: 200 });
    expect(await send(shop.url, 'POST', { raw: 'webhook_id=12&x=1', headers })).toMatchObject({ status: 400 });
    expect(
      await send(shop.url.replace(shop.connection.id, 'conn_unknown'), 'POST', { raw: 'webhook_id=12', headers }),
    ).toMatchObject({
      status: 400,
    });
  });

  it('counts what the shop says and not what the delivery says, and once', async () => {
    const shop = await WooMerchant.open();
    const sold = shop.sell({ items: [pro], total: '120.00' });
    const raised = { ...sold, total: '9000.00', line_items: [{ ...sold.line_items[0], total: '9000.00' }] };
    expect((await shop.deliver(raised)).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'duplicate' });
    expect(await shop.rows()).toMatchObject({ sales: ['12000 2000 0 USD true'] });
  });

  it('about a deleted order, or something else, has no effect', async () => {
    const shop = await WooMerchant.open();
    const sold = shop.sell({ items: [pro], total: '120.00' });
    shop.at.orders.length = 0;
    expect((await shop.deliver(sold)).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver({ id: 7 })).body).toMatchObject({ outcome: 'ignored' });
    expect((await shop.deliver({ action: 'x', arg: 1 })).body).toMatchObject({ code: 'MALFORMED_JSON' });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });
});

test('addresses of buyers are not stored with events', async () => {
  const shop = await WooMerchant.open();
  const sold = shop.sell({ items: [pro], total: '120.00' });
  Object.assign(sold.billing, { address_1: '1 Secret Street', phone: '555-0100' });
  await shop.deliver(sold);
  const { payload } = await service.services.database.kysely
    .selectFrom('psp_event')
    .select('payload')
    .where('connection_id', '=', shop.connection.id)
    .executeTakeFirstOrThrow();
  expect(payload).toContain('grace@example.com');
  expect(payload).not.toMatch(/Secret|555|Hopper|192\.0/);
});

test('orders that were lost are found on every page of the list, also if they were changed in one second', async () => {
  const shop = await WooMerchant.open();
  for (let i = 0; i < 105; i += 1) shop.sell({ items: [{ net: '1.00' }], total: '1.00' });
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  const count = service.services.database.kysely
    .selectFrom('sale')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', shop.account.id);
  expect(await count.executeTakeFirstOrThrow()).toEqual({ count: 105 });
});

test('the objects of the double have the published properties', () => {
  const sold = order({
    at: service.clock.instant(),
    buyer: { id: 1, email: 'a@b.example' },
    items: [pro],
    fees: [pro],
    shipping: [pro],
    total: '1',
    coupons: ['x'],
    meta: { a: 'b' },
  });
  const back = refund(sold, { at: service.clock.instant(), amount: '1.00', items: [pro], fees: [pro], shipping: [pro] });
  expect(differences('order', sold)).toEqual([]);
  expect(differences('refund', back)).toEqual([]);
  const webhook = { id: 1, name: '', topic: 'order.updated', status: 'active', delivery_url: '', secret: '' };
  expect(differences('webhook', shownOf(webhook))).toEqual([]);
  const { total: _, ...lacking } = sold;
  expect(differences('order', lacking)).toEqual(['order.total is missing']);
  expect(differences('order', { ...sold, date_paid_gmt: '2026-01-01T00:00:00Z' })).toEqual(['order.date_paid_gmt is not date']);
});
