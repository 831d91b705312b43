import { createSources, repairPspEndpoints } from '@affiliate/core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type DodoBusiness, DodoServer } from '../support/dodo-server/dodo-server.ts';
import { customer, dispute, type DodoPayment, type NewPayment, payment, refund } from '../support/dodo-server/objects.ts';
import { send } from '../support/http.ts';
import { type Program, program } from '../support/program.ts';
import { publishedBy } from '../support/published-types.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { tellGuide } from './guides.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let dodo: DodoServer;
let service: TestService;

beforeAll(async () => {
  dodo = await new DodoServer().start();
  const sources = createSources({ apiBase: 'http://127.0.0.1:9', apiBases: { dodo: dodo.url } });
  service = await startService({ sources, writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await dodo.stop();
});

interface Message {
  type: string;
  timestamp: string;
  data: object;
}

/** A merchant who sells with Dodo. */
class DodoShop extends Shop<Message> {
  readonly at: DodoBusiness;
  buyer = customer('grace@example.com');

  constructor(account: TestAccount, friends: Program, at: DodoBusiness, connection: Connected) {
    super(service, account, friends, connection);
    this.at = at;
  }

  static async open(isTest = false): Promise<DodoShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = dodo.addBusiness(isTest);
    const { status, body } = await connect(account, at.key);
    if (status !== 201) throw new Error(`Connecting answered ${status}.`);
    return new DodoShop(account, friends, at, body);
  }

  get secret(): string {
    return this.at.endpoints.at(-1)!.secret;
  }

  emit(type: string, data: object): void {
    this.events.push({ type, timestamp: this.now, data: structuredClone(data) });
  }

  sell(of: Omit<NewPayment, 'at' | 'customer'>): DodoPayment {
    const sold = payment({ metadata: { referral: this.friends.link.token }, ...of, at: this.now, customer: this.buyer });
    this.at.payments.push(sold);
    this.emit(sold.status === 'succeeded' ? 'payment.succeeded' : 'payment.failed', sold);
    return sold;
  }

  refund(of: DodoPayment, status: string, amount: number): void {
    const made = refund(of, this.now, status, amount);
    of.refunds.push(made);
    this.emit(`refund.${status}`, { ...made, customer: this.buyer });
  }

  dispute(of: DodoPayment, ...statuses: string[]): void {
    const made = dispute(of, this.now, 'dispute_opened');
    of.disputes.push(made);
    for (const status of ['opened', ...statuses]) {
      made.dispute_status = `dispute_${status}`;
      this.emit(`dispute.${status}`, made);
      this.pass();
    }
  }

  headersOf(body: string, secret: string, at: Date): Record<string, string> {
    const id = 'msg_1';
    const signature = new Webhook(secret.startsWith('whsec_') ? secret : btoa(secret)).sign(id, at, body);
    return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': signature };
  }

  async deliver(message: Message, { secret = this.secret, id = 'msg_1', age = 0 } = {}) {
    const body = JSON.stringify(message);
    const at = new Date(service.clock.now().getTime() - age * 1_000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    return send(this.url, 'POST', { raw: body, headers });
  }
}

function connect(account: TestAccount, key: string) {
  const body = { source: 'dodo', credentials: { api_key: key } };
  return account.api.send<Connected>('POST', '/api/settings/v1/connections', { body });
}

const STORIES: Record<string, Story<DodoShop>> = {
  'a sale with tax': {
    tells: ['sale'],
    happens: (shop) => shop.sell({ total: 12_000, tax: 2_000 }),
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a subscription with a renewal': {
    tells: ['renewal', 'trial of 0'],
    happens: (shop) => {
      shop.sell({ total: 0, subscriptionId: 'sub_1', link: 'https://checkout.dodopayments.com/x' });
      shop.pass();
      shop.sell({ total: 4_000, tax: 667, subscriptionId: 'sub_1' });
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'a partial refund': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ total: 12_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 'succeeded', 3_000);
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ total: 12_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 'succeeded', 12_000);
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a refund that fails': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ total: 10_000 });
      shop.pass();
      shop.refund(sold, 'failed', 10_000);
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ total: 10_000 });
      shop.pass();
      shop.dispute(sold, 'challenged');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is lost': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ total: 10_000 });
      shop.pass();
      shop.dispute(sold, 'lost');
    },
    sales: ['10000 0 10000 USD true'],
    commissions: ['2000 USD voided '],
  },
  'a dispute that is won': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ total: 10_000 });
      shop.pass();
      shop.dispute(sold, 'challenged', 'won');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a sale in yen': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell({ total: 1_101, tax: 100, currency: 'JPY' }),
    sales: ['1101 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a payment that failed': {
    tells: [],
    happens: (shop) => shop.sell({ total: 1_000, status: 'failed' }),
    sales: [],
    commissions: [],
  },
  'a dispute that is lost, and won after all': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ total: 10_000 });
      shop.pass();
      shop.dispute(sold, 'lost', 'won');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a sale in dinars': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell({ total: 12_345, currency: 'KWD' }),
    sales: ['12345 0 0 KWD true'],
    commissions: ['2469 KWD pending '],
  },
  'a payment in test mode': {
    tells: ['test payment'],
    open: () => DodoShop.open(true),
    happens: (shop) => shop.sell({ total: 1_000 }),
    sales: ['1000 0 0 USD false'],
    commissions: ['200 USD pending '],
  },
  'a customer whose address changes between two payments': {
    tells: ['changed address'],
    happens: (shop) => {
      shop.sell({ total: 1_000, link: 'https://checkout.dodopayments.com/x' });
      shop.pass();
      shop.buyer = { ...shop.buyer, email: 'hopper@example.com' };
      shop.sell({ total: 2_000, metadata: {} });
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    commissions: ['200 USD pending ', '400 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await DodoShop.open();
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) => shop.sell({ total: 9_000, code: 'ADA20', metadata: {} }),
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
};

tellStories({
  open: () => DodoShop.open(),
  stories: STORIES,
  without: {
    'negative lines': 'Payments of Dodo state one amount for all products.',
    guest: 'Every payment at Dodo has a customer with an id.',
  },
});

tellAttacks({ open: () => DodoShop.open(), sell: (shop, metadata) => shop.sell({ total: 1_000, metadata }), without: {} });

tellGuide({
  guide: 'dodo',
  open: () => DodoShop.open(),
  sell: (shop, metadata) => shop.sell({ total: 1_000, metadata }),
  names: (say) => ({
    product_cart: [],
    dodo: { checkoutSessions: { create: (of: { metadata: Record<string, string> }) => say(of.metadata) } },
  }),
});

describe('the connection', () => {
  it('with a key of test mode is one of test mode', async () => {
    expect((await DodoShop.open(true)).connection).toMatchObject({ livemode: false });
  });

  it('creates its endpoint, and enables one that was disabled', async () => {
    const shop = await DodoShop.open();
    const [endpoint] = shop.at.endpoints;
    expect(endpoint).toMatchObject({ description: `Affiliate program (${shop.account.id})` });
    Object.assign(endpoint!, { disabled: true, filter_types: ['payment.succeeded'] });
    service.clock.advance(2, 'days');
    await repairPspEndpoints(service.services);
    expect(endpoint).toMatchObject({ disabled: false, filter_types: expect.arrayContaining(['dispute.lost']) });
  });

  it('refuses keys that Dodo does not know', async () => {
    const account = await service.createAccount();
    for (const key of ['short', 'x'.repeat(30), 'a key with spaces in its text'])
      expect(await connect(account, key)).toMatchObject({ status: 422, body: { details: [{ path: 'credentials' }] } });
  });
});

test('a delivery is refused if it is forged, old, or of another connection, and counts once', async () => {
  const [shop, other] = [await DodoShop.open(), await DodoShop.open()];
  shop.sell({ total: 1_000 });
  const [event] = shop.events;
  const forged = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  for (const attempt of [{ secret: forged }, { secret: other.secret }, { age: 301 }, { age: -301 }, { id: 'a.b' }])
    expect(await shop.deliver(event!, attempt)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } });
  expect(await shop.rows()).toMatchObject({ sales: [] });
  expect((await shop.deliver(event!)).body).toMatchObject({ outcome: 'processed' });
  expect((await shop.deliver(event!, { id: 'msg_2' })).body).toMatchObject({ outcome: 'duplicate' });
});

test('the objects of the double have the published types', () => {
  const differences = publishedBy('dodopayments', ['resources/{payments,disputes,refunds,discounts,misc}.d.ts']);
  const at = service.clock.instant();
  const sold = payment({ at, customer: customer('a@b.example'), total: 100, code: 'A' });
  expect(differences('Payment', { ...sold, refunds: [refund(sold, at, 'succeeded', 10)] })).toEqual([]);
  expect(differences('RefundListItem', refund(sold, at, 'succeeded', 10))).toEqual([]);
  expect(differences('Dispute', dispute(sold, at, 'dispute_lost'))).toEqual([]);
  expect(differences('Dispute', { ...dispute(sold, at, 'dispute_lost'), amount: 10 })).toHaveLength(1);
});
