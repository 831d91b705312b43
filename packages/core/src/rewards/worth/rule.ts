/**
 * A reward rule, as `evaluate` needs it: what a merchant pays for which sales (docs/rules/rewards.md#reward-rules). Percentages are basis points, and
 * amounts are cents of their currency.
 */
import type { Instant } from '../../platform/time/clock.ts';

export const INTERVALS = ['day', 'week', 'month', 'year', 'one_time'] as const;
/** How often the price of a line is charged. */
export type Interval = (typeof INTERVALS)[number];

export const CUSTOMER_KINDS = ['new', 'returning'] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

/** The conditions of a rule. All given conditions must hold. A list holds if any of its values does. */
export interface When {
  /** Ids of products and prices, of which a line has one. */
  products?: readonly string[];
  prices?: readonly string[];
  interval?: readonly Interval[];
  /** Codes that were redeemed with the sale, in any case. */
  codes?: readonly string[];
  /** Countries of the customer, by ISO 3166. */
  countries?: readonly string[];
  /** Values that the sale’s metadata may have, by key. Each key must match. */
  metadata?: Readonly<Record<string, readonly string[]>>;
  /** Place of the sale among those of its referral, counted from 1. Both ends are included. */
  sale_number?: Range;
  /** Whole months since the referral’s first sale. `from` is included, `to` is not: 0 to 12 are the first twelve months. */
  age_months?: Range;
  /** Amount of the sale at its charge, in cents. `from` is included, `to` is not. Does not hold for a sale in another currency. */
  amount?: Range & { currency: string };
  /** Ids of tiers, of which the affiliate has one. */
  tier?: readonly string[];
  customer?: CustomerKind;
}

/** A range of numbers. A missing end has no bound. */
export interface Range {
  from?: number;
  to?: number;
}

/** The payment of a rule for the lines that it decides. */
export type Pay =
  | { kind: 'percent'; basis_points: number }
  /** `sale`: once for all lines of the sale that the rule decides; `unit`: for each unit of these lines. */
  | { kind: 'fixed'; amount_cents: number; currency: string; per: 'sale' | 'unit' }
  | { kind: 'nothing' };

export const CAP_SCOPES = ['sale', 'referral', 'affiliate'] as const;
export const CAP_WINDOWS = ['ever', 'month', 'year'] as const;

/** The most that a rule pays for a sale, or to a referral or an affiliate within a window. */
export interface Cap {
  amount_cents: number;
  currency: string;
  per: (typeof CAP_SCOPES)[number];
  window: (typeof CAP_WINDOWS)[number];
}

export const METRICS = ['customers', 'sales', 'revenue'] as const;
/** The metrics of milestones and tiers: customers who have paid, sales, or the amount of sales in cents. */
export type Metric = (typeof METRICS)[number];

export const MILESTONE_WINDOWS = ['ever', 'month', 'quarter'] as const;

export type MilestoneWindow = (typeof MILESTONE_WINDOWS)[number];

/** A number of customers or sales, or an amount of sales, for which an affiliate earns a bonus. */
export interface Milestone {
  metric: Metric;
  window: (typeof MILESTONE_WINDOWS)[number];
  /** Reached at each multiple of this number. A milestone has either `every` or `at`. */
  every?: number | undefined;
  /** Reached once, at this number. */
  at?: number | undefined;
}

export const RULE_EVENTS = ['sale', 'lead', 'milestone'] as const;

/** Conditions that a rule may have for events other than sales, which have no lines. */
export const EVENT_CONDITIONS = { lead: ['countries', 'tier'], milestone: ['tier'] } as const satisfies Record<
  Exclude<(typeof RULE_EVENTS)[number], 'sale'>,
  (keyof When)[]
>;

/** A version of a rule, with the sales to which it applies. */
export interface Rule {
  event: (typeof RULE_EVENTS)[number];
  id: string;
  version: number;
  /** The link or the affiliate whose sales the rule decides. Without both, it decides those of the whole campaign. */
  link_id: string | null;
  affiliate_id: string | null;
  position: number;
  when: When;
  pay: Pay;
  /** `instead`: decides what lines earn; `on_top`: pays a further commission. */
  apply: 'instead' | 'on_top';
  cap: Cap | null;
  /** Set on rules of milestones. */
  milestone: Milestone | null;
  /** On rules of leads: the days after which the reward is due although the customer has not paid. */
  hold_days: number | null;
  /** The period that the merchant planned: charges from `from` on, and before `until`. */
  from: Instant | null;
  until: Instant | null;
}

/** True if a rule excludes products or prices: the lines that it decides earn nothing. */
export function isExclusion({ apply, pay, when }: Pick<Rule, 'apply' | 'pay' | 'when'>): boolean {
  return apply === 'instead' && pay.kind === 'nothing' && (when.products !== undefined || when.prices !== undefined);
}

/**
 * Returns the position of a rule to which nobody gives one: the last, or the first for an exclusion, which shares it with the rule that was first, so that no
 * other rule changes.
 *
 * @param others the other rules of the campaign that have not ended
 */
export function placeFor(rule: Parameters<typeof isExclusion>[0], others: readonly Pick<Rule, 'position'>[]): number {
  const positions = others.map(({ position }) => position);
  if (positions.length === 0) return 0;
  return isExclusion(rule) ? Math.min(...positions) : Math.max(...positions) + 1;
}

/** True if a rule depends on the earlier sales of a referral or a customer. */
export function dependsOnHistory({ when }: Pick<Rule, 'when'>): boolean {
  return when.sale_number !== undefined || when.age_months !== undefined || when.customer !== undefined;
}

/** True if a rule pays no more than a maximum for several sales together. */
export function hasSharedCap({ cap }: Pick<Rule, 'cap'>): boolean {
  return cap !== null && cap.per !== 'sale';
}

export const LINE_NOTES = ['other_currency', 'cap_other_currency'] as const;
/**
 * Why a line does not earn what its rule says. `other_currency`: the commission is in another currency, and nothing is converted.
 * `cap_other_currency`: the cap of the rule is in another currency than its payment, so it does not count.
 */
export type LineNote = (typeof LINE_NOTES)[number];

/** The terms of one line of a sale for a commission. Decided at the charge and then frozen: later changes of rules have no effect on it. */
export interface LineTerms {
  /** Index of the line in the sale. */
  line: number;
  /** The rule that decided. Null for the base reward of the campaign. */
  rule_id: string | null;
  rule_version: number | null;
  pay: Pay;
  quantity: number;
  /** The most that the rule pays for all its lines together. Null for no maximum. */
  at_most_cents: number | null;
  note: LineNote | null;
}

/** The terms of a sale for one commission (docs/rules/rewards.md#terms). */
export interface Terms {
  kind: 'sale' | 'bonus';
  /** Currency of the commission. */
  currency: string;
  lines: readonly LineTerms[];
}
