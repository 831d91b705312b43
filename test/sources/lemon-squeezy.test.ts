import { createSources, findLostEvents, finishErasures, repairPspEndpoints } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { LemonSqueezyServer, lemonSignature, type LemonStore } from '../support/lemon-squeezy-server/lemon-squeezy-server.ts';
import {
  type Buyer,
  buyer,
  invoice,
  type LemonInvoice,
  type LemonOrder,
  type LemonSubscription,
  lemonTime,
  type NewPayment,
  order,
  orderItem,
  redemption,
  refund,
  type Resource,
  subscription,
} from '../support/lemon-squeezy-server/objects.ts';
import { type Program, program, refer } from '../support/program.ts';
import { publishedBy } from '../support/published-types.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { tellGuide } from './guides.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let lemon: LemonSqueezyServer;
let service: TestService;

beforeAll(async () => {
  lemon = await new LemonSqueezyServer().start();
  const apiBases = { lemon_squeezy: lemon.url };
  service = await startService({ sources: createSources({ apiBase: 'http://127.0.0.1:9', apiBases }), writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await lemon.stop();
});

interface Message {
  meta: { event_name: string; custom_data?: Record<string, unknown> };
  data: object;
}

type Terms = Omit<NewPayment, 'at' | 'buyer' | 'storeId' | 'isTest'>;

interface Opened {
  isTest?: boolean;
  /** True if the merchant has named the buyer of a referral before, so that a sale earns without the custom data of its deliveries. */
  isKnown?: boolean;
}

/** A merchant who sells with Lemon Squeezy. */
class LemonShop extends Shop<Message> {
  readonly at: LemonStore;
  buyer: Buyer = buyer('grace@example.com');
  custom: Record<string, unknown>;

  constructor(account: TestAccount, friends: Program, at: LemonStore, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
    this.custom = { referral: friends.link.token };
  }

  static async open({ isTest = false, isKnown = false }: Opened = {}): Promise<LemonShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = lemon.addStore(isTest);
    const { status, body, text } = await connect(account, at.key, at.id);
    if (status !== 201) throw new Error(`Connecting answered ${status}: ${text}`);
    const shop = new LemonShop(account, friends, at, body);
    if (isKnown) {
      const { id } = await refer(account, friends);
      const named = await account.api.patch(`/referrals/${id}`, { customer_email: shop.buyer.email });
      if (named.status !== 200) throw new Error(named.text);
      service.clock.advance(1, 'minutes');
    }
    return shop;
  }

  get secret(): string {
    return this.at.webhooks.at(-1)!.attributes.secret!;
  }

  get terms() {
    return { at: this.now, storeId: this.at.id, buyer: this.buyer, isTest: this.at.isTest };
  }

  emit(event_name: string, data: Resource<object>): void {
    this.events.push({ meta: { event_name, custom_data: this.custom }, data: structuredClone(data) });
  }

  sell(of: Terms, code: string | null = null): LemonOrder {
    const sold = order({ ...of, ...this.terms });
    this.at.orders.push(sold);
    if (code !== null) this.at.redemptions.push(redemption(sold, code));
    this.emit('order_created', sold);
    return sold;
  }

  /** Sells a subscription, whose first payment comes as an order and as an invoice. */
  subscribe(of: Terms, trialEnd: string | null = null): [LemonOrder, LemonSubscription, LemonInvoice] {
    const sold = order({ ...of, ...this.terms });
    this.at.orders.push(sold);
    const started = subscription(sold, trialEnd);
    this.at.subscriptions.push(started);
    const first = this.invoice(started, 'initial', of);
    this.emit('order_created', sold);
    this.emit('subscription_created', started);
    return [sold, started, first];
  }

  invoice(of: LemonSubscription, reason: string, terms: Terms): LemonInvoice {
    const made = invoice(of, reason, { ...terms, ...this.terms });
    this.at.invoices.push(made);
    this.emit('subscription_payment_success', made);
    return made;
  }

  refund(of: LemonOrder | LemonInvoice, amount: number): void {
    refund(of, this.now, amount);
    this.emit(of.type === 'orders' ? 'order_refunded' : 'subscription_payment_refunded', of);
  }

  headersOf(body: string, secret: string): Record<string, string> {
    return { 'x-signature': lemonSignature(body, secret) };
  }

  async deliver(message: Message, { secret = this.secret, signature = '' } = {}) {
    const body = JSON.stringify(message, null, 1);
    const headers = { 'x-signature': signature || lemonSignature(body, secret), 'x-event-name': message.meta.event_name };
    return send(this.url, 'POST', { raw: body, headers });
  }
}

function connect(account: TestAccount, api_key: string, store_id: number | string) {
  const body = { source: 'lemon_squeezy', credentials: { api_key, store_id: String(store_id) } };
  return account.api.send<Connected>('POST', '/api/settings/v1/connections', { body });
}

const STORIES: Record<string, Story<LemonShop>> = {
  'a sale with tax and discount': {
    tells: ['sale'],
    happens: (shop) => shop.sell({ net: 9_000, discount: 1_000, tax: 1_800 }, 'TEN'),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a subscription, whose first payment is one sale, with a renewal': {
    tells: ['renewal'],
    happens: (shop) => {
      const [, started] = shop.subscribe({ net: 3_333, tax: 667 });
      shop.pass();
      shop.invoice(started, 'renewal', { net: 3_333, tax: 667 });
    },
    sales: ['4000 667 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending ', '667 USD pending '],
  },
  'a trial with its first payment': {
    tells: ['trial of 0'],
    happens: (shop) => {
      const [, started] = shop.subscribe({ net: 0 }, new Date(service.clock.now().getTime() + 60_000).toISOString());
      shop.pass();
      Object.assign(started.attributes, { status: 'active', updated_at: lemonTime(shop.now) });
      shop.emit('subscription_updated', started);
      shop.invoice(started, 'renewal', { net: 3_333, tax: 667 });
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'a trial after which the first paid invoice is an initial one': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ net: 0 });
      const started = subscription(sold, shop.now);
      shop.at.subscriptions.push(started);
      shop.pass();
      shop.invoice(started, 'initial', { net: 3_333, tax: 667 });
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'a partial refund, and a further one': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ net: 10_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 1_200);
      shop.pass();
      shop.refund(sold, 3_000);
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ net: 10_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 12_000);
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund of a first payment that comes with its invoice': {
    tells: [],
    happens: (shop) => {
      const [, , first] = shop.subscribe({ net: 10_000, tax: 2_000 });
      shop.pass();
      shop.refund(first, 3_000);
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a refund of a first payment that comes with its order and its invoice': {
    tells: [],
    happens: (shop) => {
      const [sold, , first] = shop.subscribe({ net: 10_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 12_000);
      shop.refund(first, 12_000);
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund of a renewal': {
    tells: [],
    happens: (shop) => {
      const [, started] = shop.subscribe({ net: 1_000 });
      shop.pass();
      const renewed = shop.invoice(started, 'renewal', { net: 2_000, tax: 400 });
      shop.pass();
      shop.refund(renewed, 2_400);
    },
    sales: ['1000 0 0 USD true', '2400 400 2400 USD true'],
    commissions: ['200 USD pending ', '400 USD voided '],
  },
  'a change of the plan, billed at once': {
    tells: [],
    happens: (shop) => {
      const [, started] = shop.subscribe({ net: 1_000 });
      shop.pass();
      shop.invoice(started, 'updated', { net: 555 });
    },
    sales: ['1000 0 0 USD true', '555 0 0 USD true'],
    commissions: ['111 USD pending ', '200 USD pending '],
  },
  'a changed address': {
    tells: ['changed address'],
    happens: (shop) => {
      const [, started] = shop.subscribe({ net: 1_000 });
      shop.pass();
      shop.buyer = { ...shop.buyer, email: 'hopper@example.com' };
      shop.invoice(started, 'renewal', { net: 1_000 });
    },
    sales: ['1000 0 0 USD true', '1000 0 0 USD true'],
    commissions: ['200 USD pending ', '200 USD pending '],
  },
  'a sale in euros': {
    tells: [],
    happens: (shop) => shop.sell({ net: 10_000, tax: 1_900, currency: 'EUR', rate: 1.1 }),
    sales: ['11900 1900 0 EUR true'],
    commissions: ['2000 EUR pending '],
  },
  'a sale in yen, told in US dollars, with a refund': {
    tells: ['currency without decimals'],
    happens: (shop) => {
      const sold = shop.sell({ net: 10_000, tax: 1_000, currency: 'JPY', rate: 0.67 });
      shop.pass();
      shop.refund(sold, 5_500);
    },
    sales: ['7370 670 3685 USD true'],
    commissions: ['670 USD pending '],
  },
  'an order that is not paid': {
    tells: [],
    happens: (shop) => shop.sell({ net: 1_000, status: 'failed' }),
    sales: [],
    commissions: [],
  },
  'a sale in dinars, told in US dollars': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell({ net: 10_000, currency: 'KWD', rate: 3.25 }),
    sales: ['32500 0 0 USD true'],
    commissions: ['6500 USD pending '],
  },
  'a sale in test mode': {
    tells: ['test payment'],
    open: async () => {
      const shop = await LemonShop.open({ isTest: true });
      shop.custom = {};
      return shop;
    },
    happens: (shop) => shop.sell({ net: 1_000 }),
    sales: ['1000 0 0 USD false'],
    commissions: [],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await LemonShop.open();
      shop.custom = {};
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) => shop.sell({ net: 9_000, discount: 1_000 }, 'ADA20'),
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

// Reads do not state custom data. Without deliveries, the sales earn because the buyer is known.
tellStories({
  open: () => LemonShop.open({ isKnown: true }),
  stories: STORIES,
  without: {
    'negative lines': 'Invoices of Lemon Squeezy state one amount, also for a change of the plan.',
    'failed refund': 'Lemon Squeezy states what was paid back as one sum, which does not shrink.',
    'open dispute': 'Lemon Squeezy refunds disputed payments, and tells of no disputes.',
    'won dispute': 'Lemon Squeezy refunds disputed payments, and tells of no disputes.',
    'lost dispute': 'Lemon Squeezy refunds disputed payments, and tells of no disputes.',
    'reversed chargeback': 'Lemon Squeezy refunds disputed payments, and tells of no disputes.',
    guest: 'Every order at Lemon Squeezy has a customer with an id.',
  },
});

tellAttacks({
  open: () => LemonShop.open(),
  sell: (shop, custom) => {
    shop.custom = custom;
    shop.sell({ net: 1_000 });
  },
  without: { 'an old delivery': 'The signature has no time: a delivery is a hint, and what it is about is read.' },
});

tellGuide({
  guide: 'lemon-squeezy',
  open: () => LemonShop.open(),
  sell: (shop, custom) => {
    shop.custom = custom;
    shop.sell({ net: 1_000 });
  },
  names: (say) => ({
    storeId: 1,
    variantId: 1,
    createCheckout: (_store: number, _variant: number, of: { checkoutData: { custom: Record<string, string> } }) =>
      say(of.checkoutData.custom),
  }),
});

describe('the custom data of a checkout', () => {
  it('name who sent a new customer, in every order of the deliveries', async () => {
    for (const isReversed of [false, true]) {
      const shop = await LemonShop.open();
      const [, started] = shop.subscribe({ net: 10_000, tax: 2_000 });
      shop.pass();
      shop.invoice(started, 'renewal', { net: 1_000 });
      for (const event of isReversed ? shop.events.toReversed() : shop.events) await shop.deliver(event);
      expect(await shop.rows()).toMatchObject({ commissions: ['200 USD pending ', '2000 USD pending '] });
    }
  });

  it('still count if a later refund and a renewal are found in lists', async () => {
    const shop = await LemonShop.open();
    const [sold, started] = shop.subscribe({ net: 10_000, tax: 2_000 });
    for (const event of shop.events) await shop.deliver(event);
    shop.pass();
    shop.refund(sold, 3_000);
    shop.invoice(started, 'renewal', { net: 1_000 });
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    expect(await shop.rows()).toMatchObject({
      sales: ['1000 0 0 USD true', '12000 2000 3000 USD true'],
      commissions: ['1500 USD pending ', '200 USD pending '],
    });
  });

  it('exclude a payment, and a refund and a renewal of it that are found in lists', async () => {
    const shop = await LemonShop.open();
    shop.custom = { referral: shop.friends.link.token, affiliate: false };
    const [sold, started] = shop.subscribe({ net: 10_000 });
    for (const event of shop.events) await shop.deliver(event);
    shop.pass();
    shop.refund(sold, 3_000);
    shop.invoice(started, 'renewal', { net: 1_000 });
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    const { sales, commissions } = await shop.rows();
    expect(sales).toHaveLength(2);
    expect(commissions).toEqual([]);
  });

  it('are not known if every delivery is lost: the sale is nobody’s until one arrives', async () => {
    const shop = await LemonShop.open();
    shop.sell({ net: 10_000 });
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: ['10000 0 0 USD true'], commissions: [] });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ sales: ['10000 0 0 USD true'], commissions: ['2000 USD pending '] });
  });

  it('are erased with the buyer whom they may name', async () => {
    const shop = await LemonShop.open();
    shop.custom = { referral: 'grace@example.com', user_id: 'u-7' };
    shop.sell({ net: 1_000 });
    await shop.deliver(shop.events[0]!);
    const kept = () =>
      service.services.database.kysely
        .selectFrom('payment_pieces')
        .select('pieces')
        .where('account_id', '=', shop.account.id)
        .execute();
    expect(JSON.stringify(await kept())).toContain('grace@example.com');
    const { body } = await shop.account.api.get<{ data: Fields[] }>('/customers');
    expect((await shop.account.api.post(`/customers/${String(body.data[0]!['id'])}/erase`)).status).toBeLessThan(300);
    await finishErasures(service.services);
    expect(await kept()).toHaveLength(1);
    expect(JSON.stringify(await kept())).not.toContain('grace');
  });
});

test('a code that was redeemed is told with the sale', async () => {
  const shop = await LemonShop.open();
  shop.sell({ net: 9_000, discount: 1_000 }, 'TEN');
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  const kept = await service.services.database.kysely
    .selectFrom('payment')
    .select('codes')
    .where('account_id', '=', shop.account.id)
    .execute();
  expect(kept).toEqual([{ codes: ['TEN'] }]);
});

describe('test mode', () => {
  it('makes test sales with a key of test mode', async () => {
    const shop = await LemonShop.open({ isTest: true });
    expect(shop.connection).toMatchObject({ livemode: false, provider_account_name: 'Shop' });
    shop.sell({ net: 1_000 });
    await shop.deliver(shop.events[0]!);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD false'] });
  });

  it('is kept apart from a live connection', async () => {
    const shop = await LemonShop.open();
    const sold = order({ ...shop.terms, net: 1_000, isTest: true });
    shop.at.orders.push(sold);
    shop.emit('order_created', sold);
    expect((await shop.deliver(shop.events[0]!)).body).toMatchObject({ outcome: 'ignored' });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });
});

describe('the connection', () => {
  it('creates its webhook with a secret, and adds event types that it lacks', async () => {
    const shop = await LemonShop.open();
    const [webhook] = shop.at.webhooks;
    expect(webhook!.attributes.secret).toMatch(/^[0-9a-f]{40}$/);
    expect(webhook!.attributes).toMatchObject({ test_mode: false, url: expect.stringContaining(`?for=${shop.account.id}`) });
    webhook!.attributes.events = ['order_created', 'license_key_created'];
    service.clock.advance(2, 'days');
    await repairPspEndpoints(service.services);
    expect(webhook!.attributes.events).toEqual(expect.arrayContaining(['license_key_created', 'order_refunded']));
  });

  it('receives events at the address of its webhook', async () => {
    const shop = await LemonShop.open();
    shop.sell({ net: 1_000 });
    const body = JSON.stringify(shop.events[0]);
    const { pathname, search } = new URL(shop.at.webhooks[0]!.attributes.url);
    const headers = { 'x-signature': lemonSignature(body, shop.secret) };
    const { status } = await send(`${service.url}${pathname}${search}`, 'POST', { raw: body, headers });
    expect(status).toBe(200);
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });

  it('refuses keys and stores that Lemon Squeezy does not know', async () => {
    const account = await service.createAccount();
    const [own, foreign] = [lemon.addStore(), lemon.addStore()];
    const unknown: [string, number | string][] = [
      ['short', own.id],
      ['x'.repeat(30), own.id],
      [own.key, foreign.id],
      [own.key, '../users'],
    ];
    for (const [key, id] of unknown)
      expect(await connect(account, key, id)).toMatchObject({ status: 422, body: { details: [{ path: 'credentials' }] } });
  });

  it('takes nothing of another store of the same person', async () => {
    const shop = await LemonShop.open();
    const other = lemon.addStore(false, shop.at.key);
    const sold = order({ ...shop.terms, storeId: other.id, net: 1_000 });
    other.orders.push(sold);
    shop.emit('order_created', sold);
    expect((await shop.deliver(shop.events[0]!)).status).toBe(200);
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });
});

describe('a delivery', () => {
  it('is refused if it is forged, or of another connection', async () => {
    const [shop, other] = [await LemonShop.open(), await LemonShop.open()];
    shop.sell({ net: 1_000 });
    const body = JSON.stringify(shop.events[0]);
    const cut = lemonSignature(body, shop.secret).slice(0, 32);
    const attempts = [{ secret: 'forged' }, { secret: '' }, { secret: other.secret }, { signature: cut }, { signature: 'x' }];
    for (const attempt of attempts)
      expect(await shop.deliver(shop.events[0]!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });

  it('that comes again is a duplicate, and an old one changes nothing', async () => {
    const shop = await LemonShop.open();
    const sold = shop.sell({ net: 10_000 });
    const [created] = shop.events;
    expect((await shop.deliver(created!)).body).toMatchObject({ outcome: 'processed' });
    shop.pass();
    shop.refund(sold, 10_000);
    await shop.deliver(shop.events[1]!);
    shop.pass();
    expect((await shop.deliver(created!)).body).toMatchObject({ outcome: 'duplicate' });
    const again = { ...created!, meta: { ...created!.meta, custom_data: {} } };
    expect((await shop.deliver(again)).body).toMatchObject({ outcome: 'processed' });
    expect(await shop.rows()).toMatchObject({ sales: ['10000 0 10000 USD true'], commissions: ['2000 USD voided '] });
  });

  it('counts what Lemon Squeezy says and not what the delivery says', async () => {
    const shop = await LemonShop.open();
    const sold = shop.sell({ net: 1_000 });
    const raised = structuredClone(sold);
    Object.assign(raised.attributes, { total: 900_000, subtotal: 900_000 });
    await shop.deliver({ ...shop.events[0]!, data: raised });
    expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true'] });
  });

  it('that is not an event, or is about something else, is kept without an effect', async () => {
    const shop = await LemonShop.open();
    const data = { type: 'license-keys', id: '1', attributes: { updated_at: lemonTime(shop.now) } };
    expect((await shop.deliver({ meta: { event_name: 'license_key_created' }, data })).body).toMatchObject({
      outcome: 'ignored',
    });
    expect((await shop.deliver({ meta: { event_name: 'order_created' }, data })).body).toMatchObject({ outcome: 'ignored' });
    expect((await shop.deliver({ meta: { event_name: 'x' }, data: {} })).body).toMatchObject({ code: 'MALFORMED_JSON' });
  });
});

test('the objects of the double have the published types', () => {
  const differences = publishedBy('@lemonsqueezy/lemonsqueezy.js', ['dist/index.d.ts']);
  const terms = { at: service.clock.instant(), storeId: 1, buyer: buyer('a@b.example'), net: 100, discount: 10 };
  const sold = order(terms);
  const started = subscription(sold, terms.at);
  // The attributes of orders, items, subscriptions, invoices and redemptions.
  expect(differences('Attributes$b', sold.attributes)).toEqual([]);
  expect(differences('Attributes$a', orderItem(sold).attributes)).toEqual([]);
  expect(differences('Attributes$9', started.attributes)).toEqual([]);
  expect(differences('Attributes$8', invoice(started, 'initial', terms).attributes)).toEqual([]);
  expect(differences('Attributes$4', redemption(sold, 'TEN').attributes)).toEqual([]);
  const { total: _, ...lacking } = sold.attributes;
  expect(differences('Attributes$b', lacking)).toEqual(['Attributes$b.total is missing']);
  expect(differences('Attributes$b', { ...sold.attributes, urls: {} })).toEqual(['Attributes$b.urls.receipt is missing']);
  expect(differences('Attributes$b', { ...sold.attributes, status: 'sold' })).toHaveLength(1);
});
