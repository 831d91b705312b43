import { createSources, findLostEvents, retryPspEvents } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Fields } from '../support/http.ts';
import { send } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import {
  adjustment,
  apiKey,
  customer,
  discount,
  type NewAdjustment,
  type NewTransaction,
  paddleId,
  price,
  subscription,
  transaction,
  type PaddleTransaction,
} from '../support/paddle-server/objects.ts';
import { type PaddleAccount, paddleSignature, PaddleServer } from '../support/paddle-server/paddle-server.ts';
import { type Program, program } from '../support/program.ts';
import { publishedBy } from '../support/published-types.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { tellGuide } from './guides.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let paddle: PaddleServer;
let service: TestService;

beforeAll(async () => {
  paddle = await new PaddleServer().start();
  service = await startService({
    sources: createSources({ apiBase: 'http://127.0.0.1:9', apiBases: { paddle: paddle.url } }),
    writesRows: true,
    checksIndexes: true,
  });
});
afterAll(async () => {
  await service.stop();
  await paddle.stop();
});

interface Notification {
  event_id: string;
  event_type: string;
  occurred_at: string;
  notification_id: string;
  data: object;
}

/** A merchant who sells with Paddle. */
class PaddleShop extends Shop<Notification> {
  readonly at: PaddleAccount;
  readonly buyer;

  constructor(account: TestAccount, friends: Program, at: PaddleAccount, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
    this.buyer = customer('grace@example.com', service.clock.instant(), 'Grace');
    at.customers.set(this.buyer.id, this.buyer);
  }

  static async open(mode: 'live' | 'sdbx' = 'live'): Promise<PaddleShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = paddle.addAccount(mode);
    const { status, body } = await connect(account, at.key);
    if (status !== 201) throw new Error(`Connecting answered ${status}.`);
    return new PaddleShop(account, friends, at, body);
  }

  static async openWithCode(): Promise<PaddleShop> {
    const shop = await PaddleShop.open();
    const code = discount('ADA20', shop.now);
    shop.at.discounts.set(code.id, code);
    await shop.giveCode('ADA20', code.id);
    return shop;
  }

  /** Changes the address of the customer. */
  move(email: string): void {
    Object.assign(this.buyer, { email, updated_at: this.now });
    this.#emit('customer.updated', this.buyer);
  }

  get secret(): string {
    return [...this.at.settings.values()].at(-1)!.endpoint_secret_key;
  }

  #emit(type: string, data: object): void {
    const at = this.now;
    this.events.push({
      event_id: paddleId('evt'),
      event_type: type,
      occurred_at: at,
      notification_id: paddleId('ntf'),
      data: structuredClone(data),
    });
  }

  /** Sells something. By default, the checkout names the affiliate's link. */
  sell(of: Omit<NewTransaction, 'at'>, referral: string | null = this.friends.link.token): PaddleTransaction {
    const customData = referral === null ? null : { referral };
    const sold = transaction({ customerId: this.buyer.id, customData, ...of, at: this.now });
    this.at.transactions.set(sold.id, sold);
    this.#emit('transaction.completed', sold);
    return sold;
  }

  adjust(of: PaddleTransaction, more: Omit<NewAdjustment, 'at'>) {
    const made = adjustment(of, { ...more, at: this.now });
    this.at.adjustments.set(made.id, made);
    this.#emit('adjustment.created', made);
    return made;
  }

  /** Changes the status of an adjustment. */
  decide(id: string, status: string): void {
    const changed = { ...this.at.adjustments.get(id)!, status, updated_at: this.now };
    this.at.adjustments.set(id, changed);
    this.#emit('adjustment.updated', changed);
  }

  /** Tells that a key expires. */
  expire(key: string, expiresAt: string): void {
    this.#emit('api_key.expiring', apiKey(key, { at: this.now, expiresAt }));
  }

  subscribe(trialEnds: string | null): string {
    const id = paddleId('sub');
    const customData = { referral: this.friends.link.token };
    this.#emit('subscription.created', subscription({ id, customerId: this.buyer.id, at: this.now, trialEnds, customData }));
    return id;
  }

  headersOf(body: string, secret: string, at: Date): Record<string, string> {
    return { 'Paddle-Signature': paddleSignature(body, [secret], at) };
  }

  async deliver(
    event: Notification,
    { secrets = [this.secret], at = service.clock.now() }: { secrets?: string[]; at?: Date } = {},
  ) {
    const body = JSON.stringify(event);
    return send(this.url, 'POST', {
      raw: body,
      headers: { 'Paddle-Signature': paddleSignature(body, secrets, at) },
    });
  }
}

function connect(account: TestAccount, key: string) {
  const path = '/api/settings/v1/connections';
  return account.api.send<Connected>('POST', path, { body: { source: 'paddle', credentials: { api_key: key } } });
}

const monthly = (subtotal: number, tax = 0) => ({ product: 'pro', subtotal, tax, interval: 'month' as const });

const STORIES: Record<string, Story<PaddleShop>> = {
  'a sale with tax and discount': {
    tells: ['sale'],
    happens: (shop) => shop.sell({ lines: [{ product: 'book', subtotal: 10_000, discount: 1_000, tax: 1_800 }] }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a subscription with a renewal': {
    tells: ['renewal'],
    happens: (shop) => {
      const subscriptionId = shop.subscribe(null);
      shop.sell({ lines: [monthly(5_000, 1_000)], subscriptionId });
      shop.pass();
      shop.sell({ lines: [monthly(5_000, 1_000)], subscriptionId, origin: 'subscription_recurring' });
    },
    sales: ['6000 1000 0 USD true', '6000 1000 0 USD true'],
    commissions: ['1000 USD pending ', '1000 USD pending '],
  },
  'a trial of 0 and its first payment': {
    tells: ['trial of 0'],
    happens: (shop) => {
      const subscriptionId = shop.subscribe(new Date(service.clock.now().getTime() + 86_400_000).toISOString());
      shop.sell({ lines: [monthly(0)], subscriptionId });
      shop.pass();
      shop.sell({ lines: [monthly(3_333, 667)], subscriptionId, origin: 'subscription_recurring' }, null);
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'an upgrade with a negative line': {
    tells: ['negative lines'],
    happens: (shop) => {
      shop.sell({ lines: [monthly(2_000)] });
      shop.pass();
      const lines = [monthly(10_000, 1_800), { product: 'basic', subtotal: -1_000, tax: 0 }];
      shop.sell({ lines, origin: 'subscription_update' });
    },
    sales: ['10800 1800 0 USD true', '2000 0 0 USD true'],
    commissions: ['1800 USD pending ', '400 USD pending '],
  },
  'a partial refund that is approved later': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000, tax: 2_000 }] });
      shop.pass();
      const { id } = shop.adjust(sold, {
        action: 'refund',
        status: 'pending_approval',
        lines: [{ line: 0, subtotal: 2_500, tax: 500 }],
      });
      shop.pass();
      shop.decide(id, 'approved');
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund that is approved at once': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000, tax: 2_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'refund', lines: [{ line: 0, subtotal: 10_000, tax: 2_000 }] });
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund that is rejected': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
      shop.pass();
      const { id } = shop.adjust(sold, { action: 'refund', status: 'pending_approval', lines: [{ line: 0, subtotal: 10_000 }] });
      shop.pass();
      shop.decide(id, 'rejected');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a warning of the bank': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback_warning', lines: [{ line: 0, subtotal: 10_000 }] });
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a chargeback after a warning': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback_warning', lines: [{ line: 0, subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback', lines: [{ line: 0, subtotal: 10_000 }] });
    },
    sales: ['10000 0 10000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a chargeback that is reversed': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
      shop.pass();
      const { id } = shop.adjust(sold, { action: 'chargeback', lines: [{ line: 0, subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback_reverse', lines: [{ line: 0, subtotal: 10_000 }] });
      shop.decide(id, 'reversed');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a sale in yen': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell({ lines: [{ product: 'a', subtotal: 1_001, tax: 100 }], currency: 'JPY' }),
    sales: ['1101 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a checkout that is not paid': {
    tells: [],
    happens: (shop) => shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }], status: 'ready' }),
    sales: [],
    commissions: [],
  },
  'a credit on the balance': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'credit', lines: [{ line: 0, subtotal: 500 }] });
    },
    sales: ['1000 0 0 USD true'],
    commissions: ['200 USD pending '],
  },
  'a warning that the bank takes back': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback_warning', lines: [{ line: 0, subtotal: 10_000 }] });
      shop.pass();
      shop.adjust(sold, { action: 'chargeback_warning_reverse', lines: [{ line: 0, subtotal: 10_000 }] });
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a payment in the sandbox': {
    tells: ['test payment'],
    open: () => PaddleShop.open('sdbx'),
    happens: (shop) => shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] }),
    sales: ['1000 0 0 USD false'],
    commissions: ['200 USD pending '],
  },
  'a customer whose address changes between two payments': {
    tells: ['changed address'],
    happens: (shop) => {
      shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
      shop.pass();
      shop.move('hopper@example.com');
      shop.sell({ lines: [{ product: 'a', subtotal: 2_000 }] }, null);
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    commissions: ['200 USD pending ', '400 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: () => PaddleShop.openWithCode(),
    happens: (shop) => {
      const discountId = [...shop.at.discounts.keys()][0]!;
      shop.sell({ lines: [{ product: 'a', subtotal: 10_000, discount: 1_000 }], discountId }, null);
    },
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

tellStories({
  open: () => PaddleShop.open(),
  stories: STORIES,
  without: {
    guest: 'Every checkout at Paddle makes a customer with an id.',
    'currency with three decimals': 'Paddle charges in no currency with three decimals.',
  },
});

tellAttacks({
  open: () => PaddleShop.open(),
  sell: (shop, customData) => shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }], customData }),
  without: {},
});

tellGuide({
  guide: 'paddle',
  open: () => PaddleShop.open(),
  sell: (shop, customData) => shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }], customData }),
  names: (say) => ({
    items: [],
    Paddle: { Checkout: { open: (of: { customData: Record<string, string> }) => say(of.customData) } },
  }),
});

test('a refund that was approved and reversed gives the commission back', async () => {
  const shop = await PaddleShop.open();
  const sold = shop.sell({ lines: [{ product: 'a', subtotal: 10_000 }] });
  const { id } = shop.adjust(sold, { action: 'refund', lines: [{ line: 0, subtotal: 10_000 }] });
  for (const event of shop.events) await shop.deliver(event);
  expect(await shop.rows()).toMatchObject({ sales: ['10000 0 10000 USD true'] });
  shop.pass();
  shop.decide(id, 'reversed');
  await shop.deliver(shop.events.at(-1)!);
  expect(await shop.rows()).toMatchObject({
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending ', '2000 USD voided '],
  });
});

test('a changed address belongs to the same customer', async () => {
  const shop = await PaddleShop.open();
  shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
  await shop.deliver(shop.events[0]!);
  shop.pass();
  const changed = { ...shop.buyer, email: 'hopper@example.com', updated_at: shop.now };
  await shop.deliver({
    event_id: paddleId('evt'),
    event_type: 'customer.updated',
    occurred_at: shop.now,
    notification_id: 'ntf_1',
    data: changed,
  });
  const { body: people } = await shop.account.api.get<{ data: Fields[] }>('/customers');
  const { text } = await shop.account.api.get(`/customers/${String(people.data[0]!['id'])}/identities`);
  expect(people.data).toHaveLength(1);
  expect(text).toContain('hopper@example.com');
});

describe('the connection', () => {
  it('creates its endpoint, repairs it, and deletes it', async () => {
    const shop = await PaddleShop.open();
    const [setting] = shop.at.settings.values();
    expect(setting).toMatchObject({
      destination: `https://affiliates.example.com/sources/${shop.connection.id}/events`,
      traffic_source: 'platform',
      description: `Affiliate program (${shop.account.id})`,
    });
    expect(shop.connection).toMatchObject({ source: 'paddle', livemode: true, has_signing_secret: true });
    expect(JSON.stringify(shop.connection)).not.toContain(shop.at.key);
    const path = `/api/settings/v1/connections/${shop.connection.id}`;
    expect((await shop.account.api.send('DELETE', path)).status).toBe(204);
    await expect.poll(() => shop.at.settings.size).toBe(0);
  });

  it('is made again after an interruption, and not twice for one account', async () => {
    const account = await service.createAccount();
    const at = paddle.addAccount();
    at.refusesSettings = true;
    expect(await connect(account, at.key)).toMatchObject({ status: 201, body: { has_signing_secret: false } });
    at.refusesSettings = false;
    expect((await connect(account, at.key)).status).toBe(201);
    expect(await connect(account, at.key)).toMatchObject({
      status: 422,
      body: { details: [{ path: 'credentials', code: 'taken' }] },
    });
    expect(at.settings.size).toBe(1);
  });

  it('works without an endpoint, which Paddle may refuse, because it asks for changes', async () => {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = paddle.addAccount();
    at.refusesSettings = true;
    const reply = await connect(account, at.key);
    expect(reply.status).toBe(201);
    const shop = new PaddleShop(account, friends, at, reply.body);
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });

  it('says why Paddle cannot be asked, until it can', async () => {
    const shop = await PaddleShop.open();
    const problem = async () => {
      service.clock.advance(50, 'minutes');
      await findLostEvents(service.services);
      const { body } = await shop.account.api.get(`/api/settings/v1/connections/${shop.connection.id}`);
      return body['problem'];
    };
    expect(await problem()).toBeNull();
    paddle.accounts.delete(shop.at.key);
    expect(await problem()).toMatch(/does not accept the key/);
    paddle.accounts.set(shop.at.key, shop.at);
    expect(await problem()).toBeNull();
  });

  it.each(['sk_live_x', 'pdl_live_apikey_short', ''])('refuses the key %j', async (key) => {
    const account = await service.createAccount();
    expect(await connect(account, key)).toMatchObject({ status: 422 });
  });

  it('refuses a key that Paddle does not accept, without quoting it', async () => {
    const account = await service.createAccount();
    const key = `pdl_live_apikey_${'9'.repeat(26)}_stolen_AQO`;
    const reply = await connect(account, key);
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'credentials', code: 'not_accepted' }] } });
    expect(reply.text).not.toContain(key);
  });
});

describe('the key', () => {
  const path = (shop: PaddleShop) => `/api/settings/v1/connections/${shop.connection.id}`;
  const shown = async (shop: PaddleShop) => (await shop.account.api.get(path(shop))).body;
  const renew = (shop: PaddleShop, api_key: string) =>
    shop.account.api.send('PUT', `${path(shop)}/credentials`, { body: { credentials: { api_key } } });
  const look = async () => {
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
  };
  const mails = async (shop: PaddleShop) => {
    await sendAllMail(service.services);
    return service.mailbox.takeAll(shop.account.ownerEmail, /./);
  };

  it('that soon expires is shown with its day, and the owner is told once', async () => {
    const shop = await PaddleShop.open();
    const expiresAt = new Date(service.clock.now().getTime() + 7 * 86_400_000).toISOString();
    shop.expire(paddle.addAccount().key, expiresAt);
    shop.expire(shop.at.key, expiresAt);
    const [other, own] = shop.events;
    await shop.deliver(other!);
    expect(await shown(shop)).toMatchObject({ key_expires_at: null });
    for (const event of [own!, { ...own!, event_id: paddleId('evt') }]) expect((await shop.deliver(event)).status).toBe(200);
    expect(await shown(shop)).toMatchObject({ key_expires_at: expiresAt, problem: null });
    const [mail, ...more] = await mails(shop);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('Your key for Paddle expires soon (Test account)');
    expect(mail!.text).toContain('/settings/payment-provider');
  });

  it('of a connection is renewed, and its address and secret stay', async () => {
    const shop = await PaddleShop.open();
    shop.expire(shop.at.key, service.clock.instant());
    await shop.deliver(shop.events.pop()!);
    // From now on, the oldest transaction identifies the account.
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    const before = await shown(shop);
    paddle.renewKey(shop.at);
    for (let time = 0; time < 2; time += 1) await look();
    expect(await shown(shop)).toMatchObject({ problem: 'The payment provider does not accept the key. Enter a valid one.' });
    const subjects = (await mails(shop)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'Your key for Paddle expires soon (Test account)',
      'Paddle no longer accepts your key (Test account)',
    ]);
    const reply = await renew(shop, shop.at.key);
    const { webhook_url, choices } = before;
    expect(reply).toMatchObject({ status: 200, body: { webhook_url, choices, key_expires_at: null, problem: null } });
    expect(reply.text).not.toContain(shop.at.key);
    await shop.deliver(shop.events.pop()!);
    shop.sell({ lines: [{ product: 'a', subtotal: 2_000 }] });
    await look();
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true', '2000 0 0 USD true'] });
    expect(shop.at.settings.size).toBe(1);
  });

  it('is not replaced by a key of another account or mode, one that Paddle refuses, or none', async () => {
    const shop = await PaddleShop.open();
    const { key } = shop.at;
    const others = [paddle.addAccount().key, paddle.addAccount('sdbx').key, key.replace('secret', 'stolen'), 'sk_live_x'];
    for (const other of others)
      expect(await renew(shop, other)).toMatchObject({
        status: 422,
        body: { details: [{ path: 'credentials', code: 'not_accepted' }] },
      });
    const stranger = await service.createAccount();
    const body = { credentials: { api_key: key } };
    expect((await stranger.api.send('PUT', `${path(shop)}/credentials`, { body })).status).toBe(404);
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });
});

describe('a delivery', () => {
  it('is accepted with one of several signatures', async () => {
    const shop = await PaddleShop.open();
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    expect((await shop.deliver(shop.events[0]!, { secrets: [shop.secret, 'former'] })).status).toBe(200);
    expect((await shop.deliver(shop.events[0]!, { secrets: ['former', shop.secret] })).body).toMatchObject({
      outcome: 'duplicate',
    });
  });

  it('is refused if it is forged, old, or of another connection', async () => {
    const [shop, other] = [await PaddleShop.open(), await PaddleShop.open()];
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    const [event] = shop.events;
    const old = new Date(service.clock.now().getTime() - 301_000);
    for (const attempt of [{ secrets: ['forged'] }, { secrets: [''] }, { secrets: [] }, { secrets: [other.secret] }, { at: old }])
      expect(await shop.deliver(event!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('that is signed but is not a notification has no effect', async () => {
    const shop = await PaddleShop.open();
    expect((await shop.deliver({ nothing: true } as never)).status).toBe(400);
    const unknown = {
      event_id: 'evt_x',
      event_type: 'report.created',
      occurred_at: shop.now,
      notification_id: 'ntf_x',
      data: {},
    };
    expect((await shop.deliver(unknown)).body).toMatchObject({ outcome: 'ignored' });
    const broken = { ...unknown, event_id: 'evt_y', event_type: 'transaction.completed', data: { id: 7 } };
    expect((await shop.deliver(broken)).body).toMatchObject({ outcome: 'ignored' });
  });

  it('counts once Paddle can be read again', async () => {
    const shop = await PaddleShop.open();
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    paddle.troubles.push((response) => response.writeHead(503).end());
    expect((await shop.deliver(shop.events[0]!)).status).toBe(502);
    service.clock.advance(2, 'minutes');
    await retryPspEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });

  it('does not read an answer without end', async () => {
    const shop = await PaddleShop.open();
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    paddle.troubles.push((response) => response.end(`{"data":"${'x'.repeat(9 * 1_048_576)}"}`));
    expect((await shop.deliver(shop.events[0]!)).status).toBe(502);
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('waits if Paddle asks to wait', async () => {
    const shop = await PaddleShop.open();
    shop.sell({ lines: [{ product: 'a', subtotal: 1_000 }] });
    paddle.troubles.push((response) => response.writeHead(429, { 'Retry-After': '1' }).end());
    expect((await shop.deliver(shop.events[0]!)).status).toBe(200);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });

  it('that was lost is found on every page of the list', async () => {
    const shop = await PaddleShop.open();
    for (let i = 0; i < 35; i += 1) shop.sell({ lines: [{ product: 'a', subtotal: 100 + i }] });
    service.clock.advance(50, 'minutes');
    const before = paddle.requests.length;
    await findLostEvents(service.services);
    expect((await shop.rows()).sales).toHaveLength(35);
    const pages = paddle.requests
      .slice(before)
      .filter((path) => path.startsWith('GET /transactions?') && path.includes('updated_at'));
    expect(pages.some((path) => path.includes('after=txn_'))).toBe(true);
  });
});

test('the objects of the double have the published types', () => {
  const differences = publishedBy('@paddle/paddle-node-sdk', ['dist/types/{types,enums}/**/*.d.ts']);
  const ofNotifications = publishedBy('@paddle/paddle-node-sdk', ['dist/types/{notifications/types,enums}/**/*.d.ts']);
  const at = service.clock.instant();
  const sold = transaction({ at, lines: [monthly(100)], customerId: 'ctm_1' });
  expect(differences('ITransactionResponse', sold)).toEqual([]);
  expect(differences('IPriceResponse', price('pri_1', 'pro_1', 'month', 'USD', at))).toEqual([]);
  expect(
    differences('IAdjustmentResponse', adjustment(sold, { at, action: 'refund', lines: [{ line: 0, subtotal: 10 }] })),
  ).toEqual([]);
  expect(differences('ICustomerResponse', customer('a@b.example', at))).toEqual([]);
  expect(differences('IDiscountResponse', discount('A', at))).toEqual([]);
  expect(differences('ISubscriptionResponse', subscription({ id: 'sub_1', customerId: 'ctm_1', at, trialEnds: at }))).toEqual([]);
  const key = apiKey(paddle.addAccount().key, { at, expiresAt: at });
  expect(ofNotifications('IApiKeyNotificationResponse', key)).toEqual([]);
  expect(differences('ITransactionResponse', { ...sold, currency_code: 'XXX', status: 'sold' })).toHaveLength(2);
});
