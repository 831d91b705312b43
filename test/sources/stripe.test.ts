/** The situations and attacks of every source, at Stripe. Its payments come in pieces; `test/psp` has what only Stripe has. */
import { createSources } from '@affiliate/core';
import { Stripe } from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { type Program, program, refer } from '../support/program.ts';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  dispute,
  invoice,
  invoiceLine,
  price,
  PspServer,
  refund,
  refundedCharge,
  subscription,
  taxOf,
  type TestAccount as StripeAccount,
  VersionedEvents,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { tellAttacks } from './attacks.ts';
import { type Connected, Shop, type Story, tellStories } from './stories.ts';

let stripe: PspServer;
let service: TestService;

beforeAll(async () => {
  stripe = await PspServer.start();
  service = await startService({ sources: createSources({ apiBase: stripe.url }), writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await stripe[Symbol.asyncDispose]();
});

interface Sold {
  amount: number;
  tax?: number;
  discount?: number;
  currency?: string;
  promotionCode?: string;
}

/** A merchant who sells with Stripe. */
class StripeShop extends Shop<WireEvent> {
  readonly at: StripeAccount;
  readonly secret: string;
  /** The referral of a visit, which the merchant's own server names in metadata. */
  readonly referralId: string;
  readonly #events: VersionedEvents;
  /** Null for a guest. */
  buyer: Stripe.Customer | null;
  email = 'grace@example.com';

  constructor(
    account: TestAccount,
    friends: Program,
    connection: Connected,
    of: { at: StripeAccount; secret: string; referralId: string },
  ) {
    super(service, account, friends, connection);
    this.at = of.at;
    this.secret = of.secret;
    this.referralId = of.referralId;
    this.#events = new VersionedEvents('2025-09-30.clover', of.at.records);
    this.buyer = customer({ email: this.email, name: 'Grace', ...this.#made });
    this.at.records.customers.push(this.buyer);
  }

  static async open(mode: 'live' | 'test' = 'live'): Promise<StripeShop> {
    const account = await service.createAccount();
    const friends = await program(account, { commission_percent: 20 });
    const at = stripe.addAccount(mode);
    const secret = `whsec_${crypto.randomUUID()}`;
    const body = { source: 'stripe', credentials: { secret_key: at.secretKey }, webhook_secret: secret };
    const reply = await account.api.send<Connected>('POST', '/api/settings/v1/connections', { body });
    if (reply.status !== 201) throw new Error(`Connecting answered ${reply.status}: ${reply.text}`);
    const { id: referralId } = await refer(account, friends);
    return new StripeShop(account, friends, reply.body, { at, secret, referralId });
  }

  /** Without the voided ones: it depends on the order of events whether a commission of which nothing is left was earned first. */
  protected override current(commissions: Fields[]): Fields[] {
    return commissions.filter(({ state }) => state !== 'voided');
  }

  get #seconds(): number {
    return Math.floor(service.clock.now().getTime() / 1_000);
  }

  get #made() {
    return { created: this.#seconds, livemode: this.at.records.livemode };
  }

  #tell(...events: WireEvent[]): void {
    const { livemode, events: listed } = this.at.records;
    for (const told of events) {
      // A refund does not state its mode, but its event does.
      const event = { ...told, livemode };
      this.events.push(event);
      listed.push({ event, delivered: false });
    }
  }

  emit(type: string, object: object, previous?: object): void {
    this.#tell(this.#events.event(type, object, { ...this.#made, ...(previous && { previous }) }));
  }

  /** Sells something by a checkout, which by default names the affiliate's link. */
  sell(
    { amount, tax = 0, discount = 0, currency = 'usd', promotionCode }: Sold,
    referral: string | null = this.friends.link.token,
  ) {
    const paid = this.#charge(amount, currency);
    const discounts = promotionCode === undefined ? [] : [{ coupon: 'SPRING', promotion_code: promotionCode }];
    this.#tell(
      this.#events.completed(
        checkoutSession({
          ...this.#made,
          client_reference_id: referral,
          customer: this.buyer?.id ?? null,
          customer_details: checkoutCustomer({ email: this.email, name: 'Grace' }),
          payment_intent: paid.payment_intent,
          currency,
          discounts,
          amount_total: amount,
          total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: tax },
        }),
      ),
      this.#events.charged(paid),
    );
    return paid;
  }

  /** Charges something without a checkout. */
  charge(amount: number, metadata: Record<string, string>): void {
    this.#tell(this.#events.charged({ ...this.#charge(amount, 'usd'), metadata }));
  }

  /** Starts a subscription by a checkout that names the affiliate's link, and charges its first invoice. */
  subscribe(sold: Sold, trialEnd: number | null = null): string {
    const of = subscription(this.buyer!.id, {
      ...this.#made,
      status: trialEnd === null ? 'active' : 'trialing',
      trial_end: trialEnd,
    });
    const first = this.#invoice(of.id, sold, 'subscription_create');
    this.at.records.subscriptions.push(of as unknown as Stripe.Subscription);
    const completed = checkoutSession({
      ...this.#made,
      mode: 'subscription',
      client_reference_id: this.friends.link.token,
      customer: this.buyer!.id,
      customer_details: checkoutCustomer({ email: this.email, name: 'Grace' }),
      subscription: of.id,
      invoice: first.id,
      payment_intent: null,
      amount_total: sold.amount,
      payment_status: sold.amount === 0 ? 'no_payment_required' : 'paid',
    });
    this.at.records.checkoutSessions.push(completed);
    this.#tell(this.#events.completed(completed), this.#events.subscription('created', of, this.#made));
    this.#pay(first);
    return of.id;
  }

  /** Charges a further invoice of a subscription. */
  renew(
    subscriptionId: string,
    sold: Sold,
    reason: Stripe.Invoice.BillingReason = 'subscription_cycle',
    lines: Stripe.InvoiceLineItem[] = [],
  ): void {
    const next = this.#invoice(subscriptionId, sold, reason);
    this.#pay({ ...next, lines: { ...next.lines, data: lines } });
  }

  #invoice(subscriptionId: string, { amount, tax = 0 }: Sold, billing_reason: Stripe.Invoice.BillingReason): Stripe.Invoice {
    const { created } = this.#made;
    return invoice({
      ...this.#made,
      total: amount,
      total_taxes: tax === 0 ? [] : [taxOf(tax)],
      billing_reason,
      customer: this.buyer!.id,
      customer_email: this.email,
      customer_name: 'Grace',
      status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: created, voided_at: null },
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { metadata: {}, subscription: subscriptionId },
      },
    });
  }

  #pay(of: Stripe.Invoice): void {
    const paidBy = of.total === 0 ? null : this.#charge(of.total, of.currency);
    this.#tell(this.#events.paid({ invoice: of, paidBy }), ...(paidBy ? [this.#events.charged(paidBy)] : []));
  }

  #charge(amount: number, currency: string): Stripe.Charge {
    const billing_details = { ...charge().billing_details, email: this.email, name: 'Grace' };
    return charge({ ...this.#made, amount, currency, customer: this.buyer?.id ?? null, billing_details });
  }

  /** Refunds a charge, and tells each of the states that the refund takes. */
  refund(of: Stripe.Charge, amount: number, ...states: string[]): void {
    const made = refund(of, { amount, created: this.#seconds });
    for (const [place, status] of states.entries()) {
      if (place > 0) this.pass();
      const now = { ...made, status };
      this.emit(place === 0 ? 'refund.created' : status === 'failed' ? 'refund.failed' : 'refund.updated', now);
      this.emit(place === 0 ? 'charge.refunded' : 'charge.refund.updated', place === 0 ? refundedCharge(of, [now]) : now);
    }
  }

  /** Disputes a charge, and tells each of the states that the dispute takes. */
  dispute(of: Stripe.Charge, ...states: Stripe.Dispute.Status[]): void {
    const made = dispute(of, { created: this.#seconds });
    for (const [place, status] of states.entries()) {
      if (place > 0) this.pass();
      this.emit(place === 0 ? 'charge.dispute.created' : 'charge.dispute.closed', { ...made, status });
    }
  }

  /** Changes the address of the customer. */
  move(email: string): void {
    const previous = { email: this.email };
    this.email = email;
    this.buyer = { ...this.buyer!, email };
    this.emit('customer.updated', this.buyer, previous);
  }

  headersOf(payload: string, secret: string, at: Date): Record<string, string> {
    const timestamp = Math.floor(at.getTime() / 1_000);
    return { 'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
  }

  deliver(event: WireEvent) {
    const body = JSON.stringify(event);
    return send(this.url, 'POST', { raw: body, headers: this.headersOf(body, this.secret, service.clock.now()) });
  }
}

const monthly = (amount: number, more: Parameters<typeof invoiceLine>[1] | object = {}) =>
  invoiceLine(price('pro', 'month'), { amount, ...more });

const STORIES: Record<string, Story<StripeShop>> = {
  'a sale with tax and discount': {
    tells: ['sale'],
    happens: (shop) => void shop.sell({ amount: 10_800, tax: 1_800, discount: 1_000 }),
    sales: ['10800 1800 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a subscription with a renewal': {
    tells: ['renewal'],
    happens: (shop) => {
      const id = shop.subscribe({ amount: 6_000, tax: 1_000 });
      shop.pass();
      shop.renew(id, { amount: 6_000, tax: 1_000 });
    },
    sales: ['6000 1000 0 USD true', '6000 1000 0 USD true'],
    commissions: ['1000 USD pending ', '1000 USD pending '],
  },
  'a trial of 0 and its first payment': {
    tells: ['trial of 0'],
    happens: (shop) => {
      const id = shop.subscribe({ amount: 0 }, Math.floor(service.clock.now().getTime() / 1_000) + 86_400);
      shop.pass();
      shop.renew(id, { amount: 4_000, tax: 667 });
    },
    sales: ['4000 667 0 USD true'],
    commissions: ['667 USD pending '],
  },
  'an upgrade with a negative line': {
    tells: ['negative lines'],
    happens: (shop) => {
      const id = shop.subscribe({ amount: 2_000 });
      shop.pass();
      const lines = [monthly(11_800, { includedTax: 1_800 }), monthly(-1_000, { proration: true })];
      shop.renew(id, { amount: 10_800, tax: 1_800 }, 'subscription_update', lines);
    },
    sales: ['10800 1800 0 USD true', '2000 0 0 USD true'],
    commissions: ['1800 USD pending ', '400 USD pending '],
  },
  'a partial refund that the bank confirms later': {
    tells: ['partial refund'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 12_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 3_000, 'pending', 'succeeded');
    },
    sales: ['12000 2000 3000 USD true'],
    commissions: ['1500 USD pending '],
  },
  'a full refund': {
    tells: ['full refund'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 12_000, tax: 2_000 });
      shop.pass();
      shop.refund(sold, 12_000, 'succeeded');
    },
    sales: ['12000 2000 12000 USD true'],
    commissions: [],
  },
  'a refund that fails': {
    tells: ['failed refund'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 10_000 });
      shop.pass();
      shop.refund(sold, 10_000, 'pending', 'failed');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute that is open': {
    tells: ['open dispute'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 10_000 });
      shop.pass();
      shop.dispute(sold, 'needs_response');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending dispute'],
  },
  'a dispute that is won': {
    tells: ['won dispute'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 10_000 });
      shop.pass();
      shop.dispute(sold, 'needs_response', 'won');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a dispute that is lost': {
    tells: ['lost dispute'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 10_000 });
      shop.pass();
      shop.dispute(sold, 'needs_response', 'lost');
    },
    sales: ['10000 0 10000 USD true'],
    commissions: [],
  },
  'a chargeback that is reversed': {
    tells: ['reversed chargeback'],
    happens: (shop) => {
      const sold = shop.sell({ amount: 10_000 });
      shop.pass();
      shop.dispute(sold, 'needs_response', 'lost', 'won');
    },
    sales: ['10000 0 0 USD true'],
    commissions: ['2000 USD pending '],
  },
  'a payment in test mode': {
    tells: ['test payment'],
    open: () => StripeShop.open('test'),
    happens: (shop) => void shop.sell({ amount: 1_000 }),
    sales: ['1000 0 0 USD false'],
    commissions: ['200 USD pending '],
  },
  'a guest': {
    tells: ['guest'],
    happens: (shop) => {
      shop.buyer = null;
      shop.sell({ amount: 1_000 });
    },
    sales: ['1000 0 0 USD true'],
    commissions: ['200 USD pending '],
  },
  'a customer whose address changes between two payments': {
    tells: ['changed address'],
    happens: (shop) => {
      shop.sell({ amount: 1_000 });
      shop.pass();
      shop.move('hopper@example.com');
      shop.sell({ amount: 2_000 }, null);
    },
    sales: ['1000 0 0 USD true', '2000 0 0 USD true'],
    commissions: ['200 USD pending ', '400 USD pending '],
  },
  'a code that is redeemed': {
    tells: ['redeemed code'],
    open: async () => {
      const shop = await StripeShop.open();
      await shop.giveCode('ADA20', 'promo_ADA20');
      return shop;
    },
    happens: (shop) => void shop.sell({ amount: 9_000, discount: 1_000, promotionCode: 'promo_ADA20' }, null),
    sales: ['9000 0 0 USD true'],
    commissions: ['1800 USD pending '],
  },
  'a sale in yen': {
    tells: ['currency without decimals'],
    happens: (shop) => void shop.sell({ amount: 1_101, tax: 100, currency: 'jpy' }),
    sales: ['1101 100 0 JPY true'],
    commissions: ['200 JPY pending '],
  },
  'a sale in dinars': {
    tells: ['currency with three decimals'],
    happens: (shop) => void shop.sell({ amount: 12_340, currency: 'kwd' }),
    sales: ['12340 0 0 KWD true'],
    commissions: ['2468 KWD pending '],
  },
};

tellStories({ open: () => StripeShop.open(), stories: STORIES, without: {} });

tellAttacks({
  open: () => StripeShop.open(),
  sell: (shop, { referral, ...more }) =>
    shop.charge(1_000, { ...more, referral: referral === shop.friends.link.token ? shop.referralId : referral! }),
  // Stripe's own library accepts a time to come.
  ages: [301, 86_400 * 365],
  without: {},
});
