/** Twelve months of payments at the provider, and what the former tool has made of them with its known defects. */
import type { Stripe } from 'stripe';
import {
  charge,
  checkoutSession,
  dispute,
  invoice,
  invoicePayment,
  refund,
  subscription,
  type TestAccount,
} from '../support/psp-server/index.ts';
import type { Random } from '../support/random.ts';
import type { Affiliate, Referral, RewardfulServer } from './rewardful-server/rewardful-server.ts';

/** Something planted in a payment: it happens at every provider, or is a defect of the former tool. */
type Planted =
  | 'refunded'
  | 'fully refunded'
  | 'dispute won'
  | 'refund ignored'
  | 'full refund ignored'
  | 'lost dispute ignored'
  | 'tax included'
  | 'tax and refund ignored'
  | 'rounded up'
  | 'duplicate'
  | 'renewal missed'
  | 'converted'
  | 'last click'
  | 'former rate'
  | 'full price of the upgrade'
  | 'voided by hand';

/** How the comparison must name each defect. A payment without a defect is equal. */
const CAUSES: Readonly<Partial<Record<Planted, string>>> = {
  'refund ignored': 'differs refund',
  'full refund ignored': 'only_there refund',
  'lost dispute ignored': 'only_there refund',
  'tax included': 'differs tax',
  'tax and refund ignored': 'differs tax_and_refund',
  'rounded up': 'differs rounding',
  'renewal missed': 'only_here not_earned_there',
  converted: 'differs currency',
  'last click': 'differs affiliate',
  'former rate': 'differs terms',
  'full price of the upgrade': 'differs charge',
  'voided by hand': 'only_here voided_there',
};

/** In which month of which customer what happens. Customers with an odd number pay in EUR. */
const STORY: Readonly<Record<string, Planted>> = {
  '0:2': 'refunded',
  '0:5': 'refund ignored',
  '1:3': 'fully refunded',
  '1:6': 'full refund ignored',
  '2:4': 'dispute won',
  '2:7': 'lost dispute ignored',
  '3:2': 'tax included',
  '3:9': 'converted',
  '4:3': 'tax and refund ignored',
  '4:8': 'rounded up',
  '5:4': 'duplicate',
  '5:10': 'renewal missed',
  '6:1': 'renewal missed',
  '6:6': 'last click',
  '7:5': 'former rate',
  '7:7': 'full price of the upgrade',
  '8:9': 'voided by hand',
  '9:11': 'duplicate',
  '10:0': 'refund ignored',
  '11:8': 'tax included',
};

const CUSTOMERS = 14;
const MONTHS = 12;
const PERCENT = 30;
/** Commissions for which the second campaign pays. The former tool has paid for more. */
const MAX_COMMISSIONS = 8;

/** A commission as the test expects it on one side: by the address of the affiliate. */
interface Expected {
  charge: string;
  affiliate: string;
  month: string;
  currency: string;
  cents: number;
}

export interface Year {
  /** One line for each comparison: charge, outcome and cause. */
  lines: string[];
  there: Expected[];
  here: Expected[];
}

const roundHalfUp = (value: number) => Math.floor(value + 0.5);

/** Fills the double of the former tool and the provider with a year before `now`. Returns what the comparison must find, computed without the service. */
export function fillYear(tool: RewardfulServer, provider: TestAccount, now: Date, random: Random): Year {
  const plain = tool.addCampaign({ max_commission_period_months: null });
  const limited = tool.addCampaign({ max_commission_period_months: null, max_commissions: MAX_COMMISSIONS });
  const affiliates = [plain, plain, plain, limited].map((campaign) => tool.addAffiliate(campaign));
  const year: Year = { lines: [], there: [], here: [] };
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    const affiliate = affiliates[customer < 12 ? customer % 3 : 3]!;
    const other = affiliates[(customer + 1) % 3]!;
    new CustomerYear({ tool, provider, now, random, year }, customer, affiliate, other).live();
  }
  return year;
}

interface World {
  tool: RewardfulServer;
  provider: TestAccount;
  now: Date;
  random: Random;
  year: Year;
}

class CustomerYear {
  readonly #world: World;
  readonly #number: number;
  readonly #affiliate: Affiliate;
  readonly #other: Affiliate;
  readonly #referral: Referral;
  readonly #customerId: string;
  readonly #currency: 'usd' | 'eur';
  #paid = 0;

  constructor(world: World, number: number, affiliate: Affiliate, other: Affiliate) {
    this.#world = world;
    this.#number = number;
    this.#affiliate = affiliate;
    this.#other = other;
    this.#currency = number % 2 === 0 ? 'usd' : 'eur';
    const before = (days: number) => new Date(this.#at(0) * 1_000 - days * 86_400_000).toISOString();
    const fields = { created_at: before(3), became_lead_at: before(2), became_conversion_at: before(0), expires_at: before(-40) };
    this.#referral = world.tool.addReferral(affiliate, fields);
    this.#customerId = String(this.#referral['stripe_customer_id']);
  }

  live(): void {
    for (let month = 0; month < MONTHS; month += 1) this.#pay(month, STORY[`${this.#number}:${month}`] ?? null);
  }

  /** Time of the payment in a month, in seconds. */
  #at(month: number): number {
    const { now } = this.#world;
    const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + month, 2 + this.#number, 9, 30);
    return at / 1_000;
  }

  #pay(month: number, planted: Planted | null): void {
    const { random, provider, year } = this.#world;
    const { records } = provider;
    const at = this.#at(month);
    const net = planted === 'rounded up' ? 9_901 : random.int(1_000, 30_000);
    const tax = roundHalfUp(net * 0.19);
    const total = net + tax;
    const isUpgrade = planted === 'full price of the upgrade';
    const of = { customer: this.#customerId, currency: this.#currency, created: at, livemode: true };
    const money = charge({ ...of, amount: total, billing_details: this.#details() });
    const bill = invoice({
      ...of,
      total,
      billing_reason: month === 0 ? 'subscription_create' : isUpgrade ? 'subscription_update' : 'subscription_cycle',
      customer_email: (this.#referral['customer'] as { email: string }).email,
      status_transitions: { finalized_at: at, marked_uncollectible_at: null, paid_at: at, voided_at: null },
      total_taxes: [
        {
          amount: tax,
          tax_behavior: 'exclusive',
          tax_rate_details: null,
          taxability_reason: 'standard_rated',
          taxable_amount: net,
          type: 'tax_rate_details',
        },
      ],
    });
    records.invoices.push(bill);
    records.invoicePayments.push(invoicePayment(bill, money.payment_intent as string));
    records.charges.push(money);
    if (month === 0) this.#begin(at, bill.id);

    const back = this.#return(money, planted, total, at);
    const left = roundHalfUp(net - (net * back) / total);
    const month7 = new Date(at * 1_000).toISOString().slice(0, 7);
    const currency = this.#currency.toUpperCase();
    const side = (cents: number, affiliate = this.#affiliate, unit = currency): Expected => ({
      charge: money.id,
      affiliate: affiliate.email,
      month: month7,
      currency: unit,
      cents,
    });

    // This service must give 30 % of the amount paid without tax and refunds, as long as the campaign pays.
    const isOfLimited = this.#affiliate.campaign['max_commissions'] !== null;
    const isOver = isOfLimited && this.#paid >= MAX_COMMISSIONS;
    const here = isOver ? 0 : roundHalfUp((left * PERCENT) / 100);
    if (here > 0) {
      year.here.push(side(here));
      this.#paid += 1;
    }
    const there = this.#earnThere(money.id, at, { net, tax, back, left }, planted);
    for (const each of there) year.there.push(side(each.cents, each.affiliate, each.currency));
    const cause = planted === null ? undefined : CAUSES[planted];
    if (here > 0 || there.length > 0)
      year.lines.push(`${money.id} ${isOver ? 'only_there max_commissions_reached' : (cause ?? 'equal')}`);
    if (planted === 'duplicate') year.lines.push(`${money.id} only_there duplicate`);
  }

  #details(): Stripe.Charge.BillingDetails {
    const { email, name } = this.#referral['customer'] as { email: string; name: string };
    return { address: null, email, name, phone: null, tax_id: null };
  }

  /** The checkout by which the subscription began. It names the referral by its id at the former tool. */
  #begin(at: number, invoiceId: string): void {
    const { records } = this.#world.provider;
    const begun = subscription(this.#customerId, { status: 'active', trial_end: null, created: at, livemode: true });
    records.subscriptions.push(begun as never);
    records.checkoutSessions.push(
      checkoutSession({
        customer: this.#customerId,
        client_reference_id: this.#referral.id,
        created: at - 60,
        invoice: invoiceId,
        livemode: true,
        mode: 'subscription',
        subscription: begun.id,
      }),
    );
  }

  /** Returns how much of a payment went back. */
  #return(money: Stripe.Charge, planted: Planted | null, total: number, at: number): number {
    const { records } = this.#world.provider;
    const later = at + 5 * 86_400;
    if (planted === 'dispute won' || planted === 'lost dispute ignored') {
      const status = planted === 'dispute won' ? 'won' : 'lost';
      records.disputes.push(dispute(money, { created: later, status, livemode: true }));
      return status === 'won' ? 0 : total;
    }
    const isWhole = planted === 'fully refunded' || planted === 'full refund ignored';
    const isPart = planted === 'refunded' || planted === 'refund ignored' || planted === 'tax and refund ignored';
    if (!isWhole && !isPart) return 0;
    const amount = isWhole ? total : Math.floor(total / 3);
    records.refunds.push(refund(money, { amount, created: later }));
    Object.assign(money, { amount_refunded: amount, refunded: isWhole });
    return amount;
  }

  /** Lets the former tool compute its commissions, with its defect. Returns what it gives. */
  #earnThere(
    chargeId: string,
    at: number,
    { net, tax, back, left }: { net: number; tax: number; back: number; left: number },
    planted: Planted | null,
  ): { cents: number; affiliate?: Affiliate; currency?: string }[] {
    if (planted === 'renewal missed') return [];
    const { tool } = this.#world;
    const total = net + tax;
    const knowsRefund = planted === 'refunded' || planted === 'fully refunded';
    const share = (base: number, percent = PERCENT) => roundHalfUp((base * percent) / 100);
    const cents =
      planted === 'tax included' || planted === 'tax and refund ignored'
        ? share(total)
        : planted === 'rounded up'
          ? Math.ceil((net * PERCENT) / 100)
          : planted === 'former rate'
            ? share(net, 25)
            : planted === 'full price of the upgrade'
              ? share(2 * net)
              : share(knowsRefund ? left : net);
    const isVoided = planted === 'voided by hand' || planted === 'fully refunded';
    const stray = planted === 'last click' ? this.#other : undefined;
    const [amount, currency] =
      planted === 'converted' ? [roundHalfUp(cents * 1.07), 'USD'] : [cents, this.#currency.toUpperCase()];
    const time = new Date(at * 1_000).toISOString();
    const fields = {
      amount,
      currency,
      state: isVoided ? 'voided' : 'due',
      voided_at: isVoided ? time : null,
      created_at: time,
      due_at: time,
      sale: {
        stripe_charge_id: chargeId,
        charge_amount_cents: planted === 'full price of the upgrade' ? 2 * net : total,
        tax_amount_cents: ['tax included', 'tax and refund ignored', 'full price of the upgrade'].includes(planted ?? '')
          ? 0
          : tax,
        refund_amount_cents: knowsRefund ? back : 0,
        currency: this.#currency.toUpperCase(),
        charged_at: time,
        ...(stray && { affiliate: { id: stray.id } }),
      },
    };
    const times = planted === 'duplicate' ? 2 : 1;
    for (let i = 0; i < times; i += 1) tool.addCommission(this.#referral, fields);
    if (isVoided) return [];
    const given = { cents: amount, currency, ...(stray && { affiliate: stray }) };
    return Array.from({ length: times }, () => given);
  }
}

/** Sums up commissions by affiliate, month and currency, as texts. */
export function sumsOfYear({ there, here }: Year): string[] {
  const keyOf = ({ affiliate, month, currency }: Expected) => `${affiliate} ${month} ${currency}`;
  const keys = new Set([...there, ...here].map(keyOf));
  const sum = (side: readonly Expected[], key: string) =>
    side.reduce((total, each) => (keyOf(each) === key ? total + each.cents : total), 0);
  return [...keys].map((key) => `${key} ${sum(there, key)} ${sum(here, key)}`).toSorted();
}
