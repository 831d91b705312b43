import { createSources, findLostEvents, finishErasures, repairPspEndpoints } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { send } from '../support/http.ts';
import {
  customer,
  dispute,
  type NewOrder,
  order,
  product,
  type PolarDispute,
  type PolarOrder,
  refund,
  subscription,
} from '../support/polar-server/objects.ts';
import { polarHeaders, type PolarOrganization, PolarServer } from '../support/polar-server/polar-server.ts';
import { type Program, program } from '../support/program.ts';
import { publishedBy } from '../support/published-types.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { tellGuide } from './guides.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let polar: PolarServer;
let service: TestService;

beforeAll(async () => {
  polar = await new PolarServer().start();
  const sources = createSources({ apiBase: 'http://127.0.0.1:9', apiBases: { polar: polar.url } });
  service = await startService({ sources, writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await polar.stop();
});

interface Message {
  type: string;
  timestamp: string;
  data: object;
}

interface DeliveryOptions {
  key?: string | Uint8Array;
  at?: Date;
  id?: string;
}

/** A merchant who sells with Polar. */
class PolarShop extends Shop<Message> {
  readonly at: PolarOrganization;
  readonly buyer;

  constructor(account: TestAccount, friends: Program, at: PolarOrganization, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
    this.buyer = customer('grace@example.com', this.now);
  }

  static async open(isSandbox = false): Promise<PolarShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = polar.addOrganization(isSandbox);
    const { status, body } = await connect(account, at.token);
    if (status !== 201) throw new Error(`Connecting answered ${status}.`);
    return new PolarShop(account, friends, at, body);
  }

  get secret(): string {
    return this.at.endpoints.at(-1)!.secret;
  }

  emit(type: string, data: object): void {
    this.events.push({ type, timestamp: this.now, data: structuredClone(data) });
  }

  sell(of: Omit<NewOrder, 'at' | 'customer'>, isReferred = true): PolarOrder {
    const metadata: Record<string, string> = isReferred ? { reference_id: this.friends.link.token } : {};
    const sold = order({ metadata, ...of, at: this.now, customer: this.buyer });
    this.at.orders.push(sold);
    this.emit(sold.paid ? 'order.paid' : 'order.updated', sold);
    return sold;
  }

  refund(of: PolarOrder, status: string, amount: number, tax = 0, disputed: PolarDispute | null = null) {
    const made = refund(of, this.now, status, amount, tax, disputed);
    this.at.refunds.push(made);
    this.emit('refund.created', made);
    return made;
  }

  decide(made: { status: string; modified_at: string | null }, status: string): void {
    Object.assign(made, { status, modified_at: this.now });
    this.emit('refund.updated', made);
  }

  /** Opens a dispute, of which Polar sends no event. The order is told again, so that the test has one. */
  dispute(of: PolarOrder, status: string): PolarDispute {
    const made = dispute(of, this.now, status);
    this.at.disputes.push(made);
    this.emit('order.updated', of);
    return made;
  }

  headersOf(body: string, secret: string, at: Date): Record<string, string> {
    return polarHeaders(body, 'msg_1', at, secret);
  }

  async deliver(message: Message, { key = this.secret, at = service.clock.now(), id = 'msg_1' }: DeliveryOptions = {}) {
    const body = JSON.stringify(message, null, 1);
    return send(this.url, 'POST', { raw: body, headers: polarHeaders(body, id, at, key) });
  }
}

function connect(account: TestAccount, token: string) {
  const body = { source: 'polar', credentials: { access_token: token } };
  return account.api.send<Connected>('POST', '/api/settings/v1/connections', { body });
}

const STORIES: Record<string, Story<PolarShop>> = {
  'a sale with tax and discount': {
    tells: ['sale'],
    happens: (shop) => shop.sell({ subtotal: 10_000, discount: 1_000, tax: 1_800 }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a subscription with a trial and a renewal': {
    tells: ['renewal', 'trial of 0'],
    happens: (shop) => {
      const metadata = { reference_id: shop.friends.link.token };
      const trialEnd = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
      const started = subscription(shop.buyer, shop.now, trialEnd, metadata);
      shop.emit('subscription.created', started);
      shop.sell({ subtotal: 0, reason: 'subscription_create', subscriptionId: started.id });
      shop.pass();
      shop.sell({ subtotal: 3_333, tax: 667, reason: 'subscription_cycle', subscriptionId: started.id });
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'a partial refund, without tax in its amount': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000, tax: 2_000 });
      shop.pass();
      const made = shop.refund(sold, 'pending', 2_500, 500);
      shop.pass();
      shop.decide(made, 'succeeded');
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 'succeeded', 10_000, 2_000);
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund that fails': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000 });
      shop.pass();
      const made = shop.refund(sold, 'pending', 10_000);
      shop.pass();
      shop.decide(made, 'failed');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000 });
      shop.pass();
      shop.dispute(sold, 'needs_response');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is lost': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000, tax: 2_000 });
      shop.pass();
      shop.dispute(sold, 'lost');
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a dispute that is won': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000 });
      shop.pass();
      shop.dispute(sold, 'won');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute that a refund prevents, which takes the money once': {
    tells: [],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000 });
      shop.pass();
      const made = shop.dispute(sold, 'prevented');
      shop.refund(sold, 'succeeded', 5_000, 0, made);
    },
    sales: ['10000 0 5000 USD true'],
    commissions: ['1000 USD pending '],
  },
  'a sale in yen': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell({ subtotal: 1_001, tax: 100, currency: 'jpy' }),
    sales: ['1101 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a sale in dinars, of which Polar has two decimals': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell({ subtotal: 1_001, currency: 'kwd' }),
    sales: ['10010 0 0 KWD true'],
    commissions: ['2002 KWD pending '],
  },
  'an order that is not paid': {
    tells: [],
    happens: (shop) => shop.sell({ subtotal: 1_000, status: 'pending' }),
    sales: [],
    commissions: [],
  },
  'a dispute that is lost, and won after all': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ subtotal: 10_000 });
      shop.pass();
      const made = shop.dispute(sold, 'lost');
      shop.pass();
      Object.assign(made, { status: 'won', modified_at: shop.now });
      shop.emit('order.updated', sold);
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'an upgrade whose items take an earlier charge back': {
    tells: ['negative lines'],
    happens: (shop) => {
      shop.sell({ subtotal: 2_000, reason: 'subscription_create' });
      shop.pass();
      const sold = shop.sell({ subtotal: 8_000, tax: 1_600, reason: 'subscription_update' });
      const [item] = sold.items;
      sold.items = [
        { ...item!, amount: 10_000 },
        { ...item!, amount: -2_000, proration: true },
      ];
    },
    sales: ['2000 0 0 USD true', '9600 1600 0 USD true'],
    commissions: ['1600 USD pending ', '400 USD pending '],
  },
  'an order of the sandbox': {
    tells: ['test payment'],
    open: () => PolarShop.open(true),
    happens: (shop) => shop.sell({ subtotal: 1_000 }),
    sales: ['1000 0 0 USD false'],
    commissions: ['200 USD pending '],
  },
  'a customer whose address changes between two orders': {
    tells: ['changed address'],
    happens: (shop) => {
      shop.sell({ subtotal: 1_000 });
      shop.pass();
      Object.assign(shop.buyer, { email: 'hopper@example.com', modified_at: shop.now });
      shop.emit('customer.updated', shop.buyer);
      shop.sell({ subtotal: 2_000 }, false);
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    commissions: ['200 USD pending ', '400 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await PolarShop.open();
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) => shop.sell({ subtotal: 10_000, discount: 1_000, code: 'ADA20' }, false),
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

tellStories({
  open: () => PolarShop.open(),
  stories: STORIES,
  without: {
    guest: 'Every order at Polar has a customer with an id.',
  },
});

tellAttacks({
  open: () => PolarShop.open(),
  sell: (shop, metadata) => shop.sell({ subtotal: 1_000, metadata }),
  without: {},
});

tellGuide({
  guide: 'polar',
  open: () => PolarShop.open(),
  sell: (shop, metadata) => shop.sell({ subtotal: 1_000, metadata }),
  names: (say) => ({
    products: [],
    polar: { checkouts: { create: (of: { metadata: Record<string, string> }) => say(of.metadata) } },
  }),
});

test('a dispute of which no event tells is found', async () => {
  const shop = await PolarShop.open();
  const sold = shop.sell({ subtotal: 10_000 });
  await shop.deliver(shop.events[0]!);
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  service.clock.advance(10, 'days');
  const made = shop.dispute(sold, 'needs_response');
  await findLostEvents(service.services);
  expect(await shop.rows()).toMatchObject({ commissions: ['2000 USD pending dispute'] });
  service.clock.advance(20, 'days');
  Object.assign(made, { status: 'lost', modified_at: shop.now });
  await findLostEvents(service.services);
  expect(await shop.rows()).toMatchObject({ sales: ['10000 0 10000 USD true'] });
});

describe('the connection', () => {
  it('with a token of the sandbox is one of test mode', async () => {
    expect((await PolarShop.open(true)).connection).toMatchObject({ livemode: false, provider_account_name: 'Shop' });
  });

  it('creates its endpoint, and enables one that failures have disabled', async () => {
    const shop = await PolarShop.open();
    const [endpoint] = shop.at.endpoints;
    expect(endpoint).toMatchObject({ format: 'raw', name: `Affiliate program (${shop.account.id})` });
    Object.assign(endpoint!, { enabled: false, events: ['order.paid'] });
    service.clock.advance(2, 'days');
    await repairPspEndpoints(service.services);
    expect(endpoint).toMatchObject({ enabled: true, events: expect.arrayContaining(['refund.updated', 'order.paid']) });
  });

  it('refuses tokens that Polar does not know', async () => {
    const account = await service.createAccount();
    for (const token of ['sk_live_x', 'polar_oat_unknown', 'polar_oat_/../x'])
      expect(await connect(account, token)).toMatchObject({ status: 422, body: { details: [{ path: 'credentials' }] } });
  });
});

describe('a delivery', () => {
  it('is accepted with both forms of the key, once', async () => {
    const shop = await PolarShop.open();
    shop.sell({ subtotal: 1_000 });
    const bytes = Buffer.from(shop.secret.slice('whsec_'.length), 'base64');
    expect((await shop.deliver(shop.events[0]!, { key: bytes })).body).toMatchObject({ outcome: 'processed' });
    expect((await shop.deliver(shop.events[0]!, { id: 'msg_2' })).body).toMatchObject({ outcome: 'duplicate' });
  });

  it('is refused if it is forged, old, or of another connection', async () => {
    const [shop, other] = [await PolarShop.open(), await PolarShop.open()];
    shop.sell({ subtotal: 1_000 });
    const old = new Date(service.clock.now().getTime() - 301_000);
    for (const attempt of [{ key: 'forged' }, { key: '' }, { key: other.secret }, { at: old }, { id: 'a.b' }])
      expect(await shop.deliver(shop.events[0]!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
    expect(await shop.rows()).toMatchObject({ sales: [] });
  });
});

test('an event of before the erasure of its buyer brings back neither name nor address', async () => {
  const shop = await PolarShop.open();
  shop.sell({ subtotal: 1_000 });
  shop.sell({ subtotal: 2_000 });
  await shop.deliver(shop.events[0]!);
  const { body } = await shop.account.api.get<{ data: { id: string; email: string }[] }>('/customers');
  expect(body.data).toMatchObject([{ email: 'grace@example.com' }]);
  await shop.account.api.post(`/customers/${body.data[0]!.id}/erase`);
  await finishErasures(service.services);
  expect((await shop.deliver(shop.events[1]!, { id: 'msg_2' })).body).toMatchObject({ outcome: 'processed' });
  expect(await shop.rows()).toMatchObject({ sales: ['1000 0 0 USD true', '2000 0 0 USD true'] });
  expect((await shop.account.api.get('/customers')).body).toMatchObject({
    data: [{ id: body.data[0]!.id, email: null, name: null }],
  });
  const payments = service.services.database.kysely
    .selectFrom('payment')
    .select('payer')
    .where('account_id', '=', shop.account.id);
  expect(JSON.stringify(await payments.execute())).not.toContain('grace');
});

test('the objects of the double have the published types', () => {
  const differences = publishedBy('@polar-sh/sdk', ['dist/models-772bIFO1.d.mts']);
  const at = service.clock.instant();
  const buyer = customer('a@b.example', at);
  const sold = order({ at, customer: buyer, subtotal: 100, code: 'A' });
  const disputed = dispute(sold, at, 'lost');
  expect(differences('Order', sold)).toEqual([]);
  for (const amount of [1_000, null]) expect(differences('Product', product('Pro', at, { amount }))).toEqual([]);
  expect(differences('Refund', refund(sold, at, 'succeeded', 10, 0, disputed))).toEqual([]);
  expect(differences('Dispute', { ...disputed, customer: buyer, case_id: null })).toEqual([]);
  expect(differences('Order', { ...sold, status: 'sold' })).toHaveLength(1);
});
