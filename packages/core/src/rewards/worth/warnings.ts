/**
 * Finds rules that can never decide anything, as a function of the rules (docs/rules/rewards.md#warnings). A warning refuses nothing: the merchant
 * may be about to change another rule.
 */
import type { Instant } from '../../platform/time/instant-text.ts';
import { byRank } from './evaluate.ts';
import type { Range, Rule, When } from './rule.ts';

export const WARNING_CODES = [
  'shadowed',
  'contradiction',
  'unknown_product',
  'unknown_price',
  'ended_tier',
  'ended_period',
] as const;
/**
 * Why a rule can never match. `shadowed`: an earlier rule always decides; `contradiction`: no sale can meet its conditions; `unknown_product` and
 * `unknown_price`: the payment provider has none of them; `ended_tier`: all its tiers have ended; `ended_period`: its period is over.
 */
type WarningCode = (typeof WARNING_CODES)[number];

export interface RuleWarning {
  rule_id: string;
  code: WarningCode;
  /** The rule that decides before, for `shadowed`. */
  by_rule_id: string | null;
}

/** Records that rules may name. */
export interface Surroundings {
  now: Instant;
  /** The products and prices of the connected payment provider. Null if they are not known. */
  products: ReadonlySet<string> | null;
  prices: ReadonlySet<string> | null;
  /** The tiers of the campaign that have not ended. */
  tiers: ReadonlySet<string>;
}

/** Returns the first warning about each rule that has one, in the order in which the rules decide. */
export function warningsOf(rules: readonly Rule[], around: Surroundings): RuleWarning[] {
  const ordered = rules.toSorted(byRank);
  return ordered.flatMap((rule, place): RuleWarning[] => {
    const code = ownWarning(rule, around);
    if (code !== null) return [{ rule_id: rule.id, code, by_rule_id: null }];
    const earlier = ordered.slice(0, place).find((other) => ownWarning(other, around) === null && decidesBefore(other, rule));
    return earlier === undefined ? [] : [{ rule_id: rule.id, code: 'shadowed', by_rule_id: earlier.id }];
  });
}

/** Returns the reason for which a rule never matches, whatever other rules there are, or null. */
function ownWarning({ when, until }: Rule, { now, products, prices, tiers }: Surroundings): WarningCode | null {
  const isNoneOf = (ids: readonly string[] | undefined, known: ReadonlySet<string> | null) =>
    ids !== undefined && known !== null && !ids.some((id) => known.has(id));
  if (until !== null && until <= now) return 'ended_period';
  if (contradicts(when)) return 'contradiction';
  if (isNoneOf(when.products, products)) return 'unknown_product';
  if (isNoneOf(when.prices, prices)) return 'unknown_price';
  return isNoneOf(when.tier, tiers) ? 'ended_tier' : null;
}

/**
 * True if no sale can meet all conditions: the first sale of a referral has no earlier one, so it is neither months after the first sale nor are later
 * sales those of a new customer.
 */
function contradicts({ sale_number, age_months, customer }: When): boolean {
  const isFirstSale = sale_number?.to !== undefined && sale_number.to <= 1;
  const isLaterSale = (sale_number?.from ?? 1) > 1;
  const isAged = (age_months?.from ?? 0) > 0;
  return (isFirstSale && isAged) || (customer === 'new' && (isLaterSale || isAged));
}

/** True if the earlier of two rules decides about everything that the later one could decide. */
function decidesBefore(earlier: Rule, later: Rule): boolean {
  if (earlier.event !== later.event || later.event === 'milestone') return false;
  if (earlier.apply !== 'instead' || later.apply !== 'instead') return false;
  return (
    isWithinScope(later.link_id, earlier.link_id) &&
    isWithinScope(later.affiliate_id, earlier.affiliate_id) &&
    (earlier.from === null || (later.from !== null && later.from >= earlier.from)) &&
    (earlier.until === null || (later.until !== null && later.until <= earlier.until)) &&
    implies(later.when, earlier.when)
  );
}

function isWithinScope(narrow: string | null, wide: string | null): boolean {
  return wide === null || narrow === wide;
}

/** True if whatever meets the conditions `narrow` also meets the conditions `wide`. */
function implies(narrow: When, wide: When): boolean {
  const areAmong = (some: readonly string[] | undefined, all: readonly string[] | undefined) =>
    all === undefined || (some !== undefined && some.every((value) => all.includes(value)));
  const folded = (codes: readonly string[] | undefined) => codes?.map((code) => code.toLowerCase());
  return (
    areAmong(narrow.products, wide.products) &&
    areAmong(narrow.prices, wide.prices) &&
    areAmong(narrow.interval, wide.interval) &&
    areAmong(folded(narrow.codes), folded(wide.codes)) &&
    areAmong(narrow.countries, wide.countries) &&
    areAmong(narrow.tier, wide.tier) &&
    Object.entries(wide.metadata ?? {}).every(
      ([key, values]) =>
        narrow.metadata !== undefined && Object.hasOwn(narrow.metadata, key) && areAmong(narrow.metadata[key], values),
    ) &&
    isRangeWithin(narrow.sale_number, wide.sale_number, 1) &&
    isRangeWithin(narrow.age_months, wide.age_months, 0) &&
    (wide.amount === undefined ||
      (narrow.amount?.currency === wide.amount.currency && isRangeWithin(narrow.amount, wide.amount, 0))) &&
    (wide.customer === undefined || narrow.customer === wide.customer)
  );
}

/** True if a range lies within another one. A missing range is everything from `least` on. */
function isRangeWithin(narrow: Range | undefined, wide: Range | undefined, least: number): boolean {
  return (
    Math.max(least, narrow?.from ?? least) >= Math.max(least, wide?.from ?? least) &&
    (narrow?.to ?? Infinity) <= (wide?.to ?? Infinity)
  );
}
