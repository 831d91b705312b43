import { retryPspEvents } from '@affiliate/core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { program } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ writesRows: true });
});
afterAll(() => service.stop());

/** A merchant whose own server signs facts. Each change of a payment is told as a whole. */
class FactsShop extends Shop<Fields> {
  override readonly accepted = 202;
  payer: Fields = { ids: ['7'], email: 'grace@example.com' };
  live = true;

  static async open(): Promise<FactsShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const { status, body, text } = await account.api.send<Connected>('POST', '/api/settings/v1/connections', {
      body: { source: 'facts' },
    });
    if (status !== 201) throw new Error(text);
    return new FactsShop(service, account, friends, body);
  }

  /** Tells a payment of an amount with its tax. By default, its checkout names the affiliate's link. */
  sell(amount: number, tax = 0, more: Fields = {}): Fields {
    const at = this.now;
    const paid = {
      names: [`order:${this.events.length}`],
      version: 1,
      live: this.live,
      charged: { amount, tax, currency: 'USD', at },
      payer: this.payer,
      references: [{ value: this.friends.link.token, at }],
      ...more,
    };
    this.events.push({ type: 'payment.seen', timestamp: at, data: paid });
    return paid;
  }

  /** Tells a payment again, with changes. */
  change(of: Fields, changes: Fields): void {
    this.pass();
    const version = this.events.length + 1;
    this.events.push({ type: 'payment.seen', timestamp: this.now, data: { ...of, ...changes, version } });
  }

  refund(of: Fields, amount: number, tax: number, ...states: string[]): void {
    const at = this.now;
    for (const state of states) this.change(of, { refunds: [{ id: 'r1', amount, tax, at, state }] });
  }

  dispute(of: Fields, amount: number, ...outcomes: string[]): void {
    const at = this.now;
    for (const outcome of outcomes) this.change(of, { disputes: [{ id: 'd1', amount, at, outcome }] });
  }

  get secret(): string {
    return String(this.connection['signing_secret']);
  }

  headersOf(body: string, secret: string, at: Date): Record<string, string> {
    const id = 'msg_1';
    const signature = new Webhook(secret.startsWith('whsec_') ? secret : btoa(secret)).sign(id, at, body);
    return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': signature };
  }

  async deliver(told: Fields) {
    const body = JSON.stringify(told);
    const headers = this.headersOf(body, this.secret, service.clock.now());
    const reply = await send(this.url, 'POST', { raw: body, headers });
    await retryPspEvents(service.services);
    return reply;
  }

  /** Returns no voided commissions: if a loss was known for a time, one stays beside the commission that came back. */
  override async rows() {
    const { commissions, ...rows } = await super.rows();
    return { ...rows, commissions: commissions.filter((commission) => !commission.includes('voided')) };
  }
}

const STORIES: Record<string, Story<FactsShop>> = {
  'a sale with tax': {
    tells: ['sale'],
    happens: (shop) => shop.sell(12_000, 2_000),
    sales: ['12000 2000 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a trial of 0, its first payment and a renewal': {
    tells: ['trial of 0', 'renewal'],
    happens: (shop) => {
      const trial_until = new Date(service.clock.now().getTime() + 60_000).toISOString();
      shop.sell(0, 0, { subscription: { id: 'sub_1', trial_until } });
      for (let month = 0; month < 2; month += 1) {
        shop.pass();
        shop.sell(4_000, 667, { subscription: { id: 'sub_1' }, references: [] });
      }
    },
    sales: ['0 0 0 USD true', '4000 667 0 USD true', '4000 667 0 USD true'],
    commissions: ['667 USD pending ', '667 USD pending '],
  },
  'an upgrade with a line below zero': {
    tells: ['negative lines'],
    happens: (shop) =>
      shop.sell(9_600, 1_600, {
        lines: [
          { product: 'pro', amount: 10_000 },
          { product: 'basic', amount: -2_000 },
        ],
      }),
    sales: ['9600 1600 0 USD true'],
    commissions: ['1600 USD pending '],
  },
  'a partial refund that waits before': {
    tells: ['partial refund'],
    happens: (shop) => shop.refund(shop.sell(12_000, 2_000), 3_000, 500, 'waiting', 'done'),
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => shop.refund(shop.sell(12_000, 2_000), 12_000, 2_000, 'done'),
    sales: ['12000 2000 12000 USD true'],
    commissions: [],
  },
  'a refund that fails': {
    tells: ['failed refund'],
    happens: (shop) => shop.refund(shop.sell(10_000), 10_000, 0, 'waiting', 'failed'),
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute': {
    tells: ['open dispute'],
    happens: (shop) => shop.dispute(shop.sell(10_000), 10_000, 'open'),
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is won': {
    tells: ['won dispute'],
    happens: (shop) => shop.dispute(shop.sell(10_000), 10_000, 'open', 'won'),
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute that is lost': {
    tells: ['lost dispute'],
    happens: (shop) => shop.dispute(shop.sell(10_000), 10_000, 'open', 'lost'),
    sales: ['10000 0 10000 USD true'],
    commissions: [],
  },
  'a dispute that is lost, and won after all': {
    tells: ['reversed chargeback'],
    happens: (shop) => shop.dispute(shop.sell(10_000), 10_000, 'lost', 'won'),
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a test payment': {
    tells: ['test payment'],
    happens: (shop) => {
      shop.live = false;
      shop.sell(1_000);
    },
    sales: ['1000 0 0 USD false'],
    commissions: ['200 USD pending '],
  },
  'a guest who pays twice': {
    tells: ['guest'],
    happens: (shop) => {
      shop.payer = { email: 'grace@example.com' };
      shop.sell(1_000);
      shop.pass();
      shop.sell(2_000, 0, { references: [] });
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    // An address alone is no proof.
    commissions: ['200 USD pending ', '400 USD pending unverified_address'],
  },
  'a customer whose address changes between two payments': {
    tells: ['changed address'],
    happens: (shop) => {
      shop.sell(1_000);
      shop.pass();
      shop.payer = { ids: ['7'], email: 'hopper@example.com' };
      const former_email = 'grace@example.com';
      const data = { version: 1, live: true, payer: shop.payer, former_email };
      shop.events.push({ type: 'customer.seen', timestamp: shop.now, data });
      shop.sell(2_000, 0, { references: [] });
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    commissions: ['200 USD pending ', '400 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await FactsShop.open();
      await shop.giveCode('ADA20');
      return shop;
    },
    happens: (shop) => shop.sell(9_000, 0, { references: [], codes: [{ code: 'ADA20' }] }),
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a sale in yen': {
    tells: ['currency without decimals'],
    happens: (shop) => shop.sell(0, 0, { charged: { amount: 1_101, tax: 100, currency: 'JPY', at: shop.now } }),
    sales: ['1101 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a sale in dinars': {
    tells: ['currency with three decimals'],
    happens: (shop) => shop.sell(0, 0, { charged: { amount: 12_345, tax: 0, currency: 'KWD', at: shop.now } }),
    sales: ['12345 0 0 KWD true'],
    commissions: ['2469 KWD pending '],
  },
};

// Nothing can be asked: the merchant's own server repeats facts until they are accepted.
tellStories({ open: () => FactsShop.open(), stories: STORIES, without: {} }, ['in some order, twice each', 'at once']);

tellAttacks({
  open: () => FactsShop.open(),
  sell: (shop, { referral = '' }) => shop.sell(1_000, 0, { references: [{ value: referral, at: shop.now }] }),
  without: {},
});
