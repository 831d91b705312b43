/** The facts of stories about a customer and two affiliates (docs/rules/attribution.md#order-of-facts). */

import { Random } from '../support/random.ts';

export type Who = 'A' | 'B';
export type Product = 'pro' | 'free';
/**
 * Names by which a fact identifies the customer. Facts with only the email address and facts with only the provider's id can be connected once
 * another fact has both. The provider may have a second id for the same address: `second` is that id with the address, `second id` the id alone. `own` is
 * the merchant's id of the customer. `shop` is another address, which only the merchant knows: a report of the same charge connects it.
 */
export type Known = 'both' | 'id' | 'email' | 'nobody' | 'second' | 'second id' | 'own' | 'shop';

/**
 * Something that happened on a day, as the provider or the merchant reports it.
 * - A trial is a checkout that charges nothing, a purchase is an invoice with its checkout, a renewal is an invoice alone.
 * - A payment is a charge with its checkout, without an invoice.
 * - A naming is a change of the customer whose metadata name the referral.
 * - A lead is an address that a visitor left on a page.
 * - A report is a sale that the merchant reports. If `same` is set, it is the charge of the fact with that index in the story, perhaps of another day. It names
 *   the payment by its charge, or by its payment intent or invoice (`by`).
 * - An order is a payment that another source tells, which always tells everything that it knows of the order.
 * - A stray is a payment in the other mode than the one in which the provider is connected. It has no effect.
 * - A joining is a change of the customer at the provider that states the id and the address together.
 * - A moment is something that a person does or changes in the service. It is known at once, so nothing that happens later is known before it.
 */
export type Fact = { day: number; known?: Known } & Referring &
  (
    | ({ kind: 'trial' } & Opened)
    | { kind: 'naming' }
    | { kind: 'lead' }
    | { kind: 'stray' }
    | { kind: 'joining' }
    | ({ kind: 'purchase' | 'renewal' | 'payment' } & Money & Opened)
    | ({ kind: 'report'; same?: number; by?: 'intent' | 'invoice' } & Money)
    | ({ kind: 'order' } & Money)
    | ({ kind: 'moment' } & Moment)
  );

/** Days by which a checkout was opened before it was completed. */
interface Opened {
  opened?: number;
}

/**
 * An act of a person. `of` is the index of the fact whose sale it concerns.
 * - `act` concerns the commission of `who`, or with `onTop` the bonus. It is left out if there is none yet.
 * - `assign` gives the sale to `who`. `amount` corrects the amount of a reported sale.
 * - `address` enters the customer's address in the referral of the visit.
 * - The others change a rule (by its index in the setting), the terms of the campaign, or the state of an affiliate.
 */
type Moment =
  | { of: number; act: 'void' | 'suspicious' | 'approve' | 'deactivate' | 'due'; who: Who; onTop?: boolean }
  | { of: number; assign: Who }
  | { of: number; amount: number }
  | { address: true }
  | { rule: number; becomes: Partial<StoryRule> | 'ended' }
  | { terms: { commission_percent?: number; max_commissions?: number | null; days_until_commissions_are_due?: number } }
  | { who: Who; state: 'active' | 'disabled' | 'suspicious' };

/** True if the fact concerns the sale of another one. */
export function isAbout(fact: Fact): fact is Extract<Fact, { kind: 'moment' }> & { of: number } {
  return fact.kind === 'moment' && 'of' in fact;
}

/** A reward rule. `code` is the code of an affiliate, and `pay` a percentage unless it says otherwise. */
export interface StoryRule {
  event?: 'lead' | 'milestone';
  pay: number | { cents: number } | 'nothing';
  onTop?: boolean;
  code?: Who;
  product?: Product;
  customer?: 'new' | 'returning';
  /** Place of the sale among those of its referral, up to which the rule holds. */
  upTo?: number;
  /** True if the affiliate must have the tier of the setting. */
  tiered?: boolean;
  cap?: { cents: number; per: 'sale' | 'referral' | 'affiliate'; window?: 'ever' | 'month' };
  milestone?: { metric: 'customers' | 'sales' | 'revenue'; window?: 'ever' | 'quarter'; at?: number; every?: number };
  hold?: number;
  from?: number;
  until?: number;
}

/** The visit and the code that a fact names. */
interface Referring {
  link?: Who;
  visit?: number;
  /** The days from and until which the referral of the visit was deactivated. It stays deactivated if the second is null. */
  off?: readonly [from: number, until: number | null];
  code?: Who;
}

export interface Money {
  amount: number;
  /** Lines of an invoice or a report. Their amounts need not add up to the amount. */
  lines?: readonly { product: Product; cents: number }[];
  /** The product that a refund names. */
  refundedProduct?: Product;
  tax?: number;
  /** Shipping within the amount, without tax. */
  shipping?: number;
  refunded?: number;
  /** True if the refund fails a day later. */
  refundFails?: boolean;
  /** Tax of the refund, as a credit note of the invoice states it. */
  creditNoteTax?: number;
  /** The part of a payment's authorized amount that is not captured. The provider reports it as a refund of its own. */
  released?: number;
  /** Days by which a payment was authorized before it was captured. */
  authorized?: number;
  /** Days by which the event of the charge of an invoice comes before the event of the invoice. Without it, only the invoice is reported. */
  chargedBefore?: number;
  /** True if the events of an invoice are of a newer API version: they name neither each other nor the payment, which the provider lists. */
  isUnlisted?: boolean;
  /** The metadata of the charge or the invoice (true), or of the checkout, say that nobody earns. */
  excluded?: boolean | 'checkout';
  /** A dispute of the charge for this amount: still open, or closed as won, lost, or both in one second. */
  dispute?: { amount: number; end: 'open' | 'won' | 'lost' | 'won and lost' };
  /** The code of a discount that an invoice has without a checkout. The event has only the id of the discount. */
  redeemed?: Who;
}

/** Changes of a campaign, its affiliates and its account, in the order of their days. */
export type History = readonly ({ day: number } & (
  | { who: Who; state: 'active' | 'disabled' | 'suspicious' | 'rejected' }
  | { terms: { commission_percent?: number; max_commissions?: number | null; attribution?: 'first_click' | 'last_click' } }
  | { isCodeBeforeLink: boolean }
  | { isArchived: boolean }
))[];

/** The histories among which random stories choose. */
export const HISTORIES = {
  disabled: [
    { day: 40, who: 'A', state: 'disabled' },
    { day: 80, who: 'A', state: 'active' },
  ],
  suspicious: [{ day: 50, who: 'A', state: 'suspicious' }],
  released: [
    { day: 30, who: 'B', state: 'suspicious' },
    { day: 90, who: 'B', state: 'active' },
  ],
  rejected: [
    { day: 60, who: 'B', state: 'suspicious' },
    { day: 100, who: 'B', state: 'rejected' },
  ],
  raised: [{ day: 60, terms: { commission_percent: 30 } }],
  paused: [
    { day: 45, terms: { commission_percent: 0 } },
    { day: 100, terms: { commission_percent: 10 } },
  ],
  archived: [
    { day: 70, isArchived: true },
    { day: 110, isArchived: false },
  ],
  limited: [
    { day: 50, terms: { max_commissions: 1 } },
    { day: 100, terms: { max_commissions: null } },
  ],
  clicked: [
    { day: 45, terms: { attribution: 'last_click' } },
    { day: 95, terms: { attribution: 'first_click' } },
  ],
  chosen: [
    { day: 40, isCodeBeforeLink: true },
    { day: 85, isCodeBeforeLink: false },
  ],
} as const satisfies Record<string, History>;

/** The merchant's settings, and the payouts during a story. */
export interface Setting {
  maxCommissions: number | null;
  lastClick?: boolean;
  codeBeforeLink?: boolean;
  /** True if the payment provider is connected in live mode. */
  live?: boolean;
  history?: keyof typeof HISTORIES;
  /** Probability that payouts are paid or returned after an event. */
  payouts?: number;
  /** If set, each run has a campaign and affiliates of its own, with these rules, so that affiliates are compared, too. */
  rules?: readonly StoryRule[];
  /** Condition of a tier, which rules may ask for. */
  tier?: { metric: 'customers' | 'sales'; from: number; window: 'ever' | 'month' };
  percent?: number;
  dueDays?: number;
  /** True if the story changes the campaign, so that no other run may have it. */
  isChanged?: boolean;
  /** True if nothing joins the customer's identities but the story's own facts. */
  apart?: boolean;
  /** Probability that the worker settles what is due after an event. It always does at the end. */
  sweeps?: number;
}

/** Returns true if the fact is a charge of which a part was not captured. */
export function isReleased(fact: Fact): boolean {
  return fact.kind === 'payment' && fact.released !== undefined;
}

/** True if the fact is an invoice whose charge is reported, too. */
export function isCharged(fact: Fact): boolean {
  return hasInvoice(fact) && 'chargedBefore' in fact && fact.chargedBefore !== undefined;
}

/** Returns true if the fact is a charge with an invoice. */
export function hasInvoice({ kind }: Fact): boolean {
  return kind === 'purchase' || kind === 'renewal';
}

/** Returns true if a fact lacks the customer's address or the provider's id, so that another event must connect the two. */
export function isSplit(story: readonly Fact[]): boolean {
  return story.some(({ known = 'both' }) => known !== 'both' && known !== 'nobody');
}

/** True if a fact has only the customer's second id at the provider, so that another event must connect this id with the customer. */
export function hasSecondId(story: readonly Fact[]): boolean {
  return story.some(({ known }) => known === 'second id');
}

/** Creates a random story. */
export function randomStory(seed: number): { story: Fact[]; setting: Setting; random: () => number } {
  const random = randomFrom(seed);
  const chance = (probability: number) => random() < probability;
  const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)]!;
  const setting: Setting = {
    maxCommissions: seed % 3 === 0 ? pick(1, 2) : null,
    lastClick: chance(0.3),
    codeBeforeLink: chance(0.3),
    live: chance(0.5),
    ...(chance(0.5) && { history: pick(...(Object.keys(HISTORIES) as (keyof typeof HISTORIES)[])) }),
    payouts: chance(0.3) ? 0.5 : 0,
  };
  const split = chance(0.4);
  const story: Fact[] = [];
  for (let length = pick(1, 2, 2, 3, 3, 4); story.length < length;) {
    const before = story.at(-1);
    const day = before && chance(0.2) ? before.day : Math.floor(random() * 150) + 1;
    const link = pick<Who | undefined>('A', 'B', undefined);
    const visit = day - pick(1, 20, 70, -2);
    const off = chance(0.15) ? ([visit + pick(5, 30), pick(null, visit + 50)] as const) : undefined;
    const code = pick<Who | undefined>('A', 'B', undefined);
    const known = split ? pick<Known>('both', 'id', 'email', 'nobody', 'second', 'second id', 'own') : 'both';
    const visited = link ? { link, visit, ...(off && { off }) } : {};
    const from = { day, known, ...visited, ...(code ? { code } : {}) };
    const kind = pick(
      'trial',
      'naming',
      'lead',
      'stray',
      'purchase',
      'purchase',
      'renewal',
      'renewal',
      'payment',
      'payment',
      'report',
      'report',
    );
    if (kind === 'lead') {
      if (link) story.push({ kind, day, ...visited, visit: Math.min(visit, day - 1) });
      continue;
    }
    if (kind === 'trial' || kind === 'naming' || kind === 'stray') {
      story.push({ kind, ...from, ...(kind === 'naming' ? { known: 'both' } : {}) });
      continue;
    }
    const amount = pick(0, 1_000, 2_500);
    const refunded = amount > 0 && chance(0.3) ? pick(amount, amount / 2) : 0;
    const money = {
      amount,
      ...(chance(0.2) ? { tax: amount / 5 } : {}),
      ...(chance(0.1) ? { excluded: true } : {}),
      ...(chance(0.2) ? { released: pick(500, 2_500) } : {}),
      ...(kind === 'payment' && chance(0.2) ? { authorized: pick(1, 7) } : {}),
      ...((kind === 'purchase' || kind === 'renewal') && chance(0.2) ? { chargedBefore: pick(0, 0.001, 5) } : {}),
      ...((kind === 'purchase' || kind === 'renewal') && chance(0.3) ? { isUnlisted: true } : {}),
      ...(amount > 0 && chance(0.2)
        ? {
            dispute: {
              amount: pick(amount, amount / 2),
              end: pick('open' as const, 'won' as const, 'lost' as const, 'won and lost' as const),
            },
          }
        : {}),
      ...(refunded
        ? { refunded, refundFails: chance(0.3), ...(chance(0.3) ? { creditNoteTax: pick(0, amount / 10) } : {}) }
        : {}),
      ...(chance(0.15) ? { shipping: amount / 10 } : {}),
    };
    const charged = story.flatMap((fact, place) => (mayBeReported(story, fact, place) ? [{ fact, place }] : []));
    const same = kind === 'report' && charged.length > 0 && chance(0.6) ? pick(...charged) : null;
    if (same !== null && kind === 'report') {
      const by = pick<'intent' | 'invoice' | undefined>(
        undefined,
        undefined,
        'intent',
        hasInvoice(same.fact) ? 'invoice' : 'intent',
      );
      const reported = same.fact.day + pick(0, 0, 0, 0.01, -3, 25);
      const names = { ...(by && { by }), known: pick<Known>('both', 'shop', 'shop', 'nobody'), ...visited };
      const shipped = chance(0.2) ? { shipping: same.fact.amount / 10 } : {};
      story.push({ kind, day: reported, same: same.place, amount: same.fact.amount, ...shipped, ...names });
    } else if (kind === 'renewal')
      story.push({
        kind,
        day,
        known: known === 'nobody' ? 'id' : known,
        ...money,
        ...(code && chance(0.4) ? { redeemed: code } : {}),
      });
    else story.push({ kind, ...from, ...money });
  }
  return { story, setting, random };
}

type Charge = Extract<Fact, { kind: 'purchase' | 'renewal' | 'payment' }>;

/** The merchant reports a charge only once. */
function mayBeReported(story: readonly Fact[], fact: Fact, place: number): fact is Charge {
  return isCharge(fact) && fact.known !== 'nobody' && !story.some((other) => other.kind === 'report' && other.same === place);
}

function isCharge(fact: Fact): fact is Charge {
  return hasInvoice(fact) || fact.kind === 'payment';
}

/** Returns a function that lists up to `limit` different orders of `length` indexes, among them the ascending and the descending order. */
export function randomOrders(limit: number, random: () => number): (length: number) => number[][] {
  return (length) => {
    const indexes = Array.from({ length }, (_, i) => i);
    const distinct = indexes.reduce((orders, i) => orders * (i + 1), 1);
    const tried = new Map([indexes, indexes.toReversed()].map((order) => [order.join(), order]));
    while (tried.size < Math.min(limit, distinct)) {
      const order = indexes
        .map((i) => [random(), i] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, i]) => i);
      tried.set(order.join(), order);
    }
    return [...tried.values()];
  };
}

/** Returns all permutations of the indexes from 0 to `length` - 1. */
export function everyOrder(length: number): number[][] {
  const permute = (items: number[]): number[][] =>
    items.length < 2 ? [items] : items.flatMap((item, i) => permute(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
  return permute(Array.from({ length }, (_, i) => i));
}

/** Returns a generator of random numbers in [0, 1) (Mulberry32). */
export function randomFrom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
