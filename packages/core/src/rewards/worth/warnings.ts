/**
 * Finds rules that can never decide anything, or not in a case for which they seem to be meant, as a function of the rules (docs/rules/rewards.md#warnings). A
 * warning refuses nothing: the merchant may be about to change another rule, or want just that.
 */
import type { Instant } from '../../platform/time/clock.ts';
import { byRank, evaluate, type SaleFacts } from './evaluate.ts';
import type { Range, Rule, When } from './rule.ts';

export const WARNING_CODES = [
  'shadowed',
  'partly_shadowed',
  'contradiction',
  'unknown_product',
  'unknown_price',
  'ended_tier',
  'ended_period',
] as const;
/**
 * Why a rule can never match. `shadowed`: an earlier rule always decides; `partly_shadowed`: an earlier rule decides in a case that is narrower than
 * either of them; `contradiction`: no sale can meet its conditions; `unknown_product` and
 * `unknown_price`: the payment provider has none of them; `ended_tier`: all its tiers have ended; `ended_period`: its period is over.
 */
type WarningCode = (typeof WARNING_CODES)[number];

export interface RuleWarning {
  rule_id: string;
  code: WarningCode;
  /** The rule that decides before, for `shadowed` and `partly_shadowed`. */
  by_rule_id: string | null;
  /** The conditions of the sales about which that rule decides, for `partly_shadowed`. */
  when: When | null;
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
    if (code !== null) return [{ rule_id: rule.id, code, by_rule_id: null, when: null }];
    const earlier = ordered.slice(0, place).filter((other) => ownWarning(other, around) === null);
    const always = earlier.find((other) => decidesBefore(other, rule));
    if (always !== undefined) return [{ rule_id: rule.id, code: 'shadowed', by_rule_id: always.id, when: null }];
    for (const other of earlier) {
      const when = takenFrom(rule, other, ordered);
      if (when !== null) return [{ rule_id: rule.id, code: 'partly_shadowed', by_rule_id: other.id, when }];
    }
    return [];
  });
}

/**
 * Returns the conditions of the sales that an earlier rule takes from a later one, or null. That a special case comes before the general one is meant; that one
 * of two special cases takes the other one with it may not be. Whether it does, the evaluation of such a sale says.
 */
function takenFrom(later: Rule, earlier: Rule, rules: readonly Rule[]): When | null {
  if (earlier.event !== 'sale' || later.event !== 'sale' || earlier.apply !== 'instead' || later.apply !== 'instead') return null;
  if (earlier.affiliate_id !== later.affiliate_id || earlier.link_id !== later.link_id) return null;
  // An exclusion before all others is meant to take what it names from them.
  if (earlier.pay.kind === 'nothing' || JSON.stringify(earlier.pay) === JSON.stringify(later.pay)) return null;
  if (implies(earlier.when, later.when)) return null;
  const when = both(earlier.when, later.when);
  const from =
    [earlier.from, later.from]
      .filter((at) => at !== null)
      .toSorted()
      .at(-1) ?? null;
  const until = [earlier.until, later.until].filter((at) => at !== null).toSorted()[0] ?? null;
  if (when === null || contradicts(when) || (from !== null && until !== null && from >= until)) return null;
  const sale = saleOf(when, { ...later, at: from ?? BEGINNING });
  const deciding = (among: readonly Rule[]) => evaluate({ rules: among, base: later.pay }, sale).sale.lines[0]!.rule_id;
  return deciding(rules) === earlier.id && deciding([later]) === later.id ? when : null;
}

const BEGINNING: Instant = '0001-01-01T00:00:00.000Z';

/**
 * Returns conditions that no sale meets without meeting both, or null if they cannot be told: a sale may have codes of one rule and of the other, and nobody
 * knows which prices a product has. There may be no such sale.
 */
function both(one: When, other: When): When | null {
  const isApart = (some: When, more: When) => some.products && !some.prices && more.prices && !more.products;
  if (isApart(one, other) || isApart(other, one)) return null;
  const common = <Value>(some: readonly Value[] | undefined, more: readonly Value[] | undefined) => {
    if (some === undefined || more === undefined) return some ?? more;
    return some.filter((value) => more.includes(value));
  };
  const range = (some: Range | undefined, more: Range | undefined) => {
    if (some === undefined || more === undefined) return some ?? more;
    const from = Math.max(some.from ?? -Infinity, more.from ?? -Infinity);
    const to = Math.min(some.to ?? Infinity, more.to ?? Infinity);
    return { ...(from > -Infinity && { from }), ...(to < Infinity && { to }) };
  };
  const keys = new Set([...Object.keys(one.metadata ?? {}), ...Object.keys(other.metadata ?? {})]);
  const valuesOf = (when: When, key: string) => (Object.hasOwn(when.metadata ?? {}, key) ? when.metadata![key] : undefined);
  const metadata = [...keys].map((key) => [key, common(valuesOf(one, key), valuesOf(other, key))!] as const);
  const amount = range(one.amount, other.amount);
  const currencies = common(one.amount && [one.amount.currency], other.amount && [other.amount.currency]);
  const folded = (codes: readonly string[] | undefined) => codes?.map((code) => code.toLowerCase());
  const found = {
    products: common(one.products, other.products),
    prices: common(one.prices, other.prices),
    interval: common(one.interval, other.interval),
    codes: one.codes && other.codes ? common(folded(one.codes), folded(other.codes)) : (one.codes ?? other.codes),
    countries: common(one.countries, other.countries),
    metadata: keys.size === 0 ? undefined : Object.fromEntries(metadata),
    sale_number: range(one.sale_number, other.sale_number),
    age_months: range(one.age_months, other.age_months),
    amount: amount && { ...amount, currency: currencies?.[0] ?? '' },
    tier: common(one.tier, other.tier),
    customer: common(one.customer && [one.customer], other.customer && [other.customer])?.[0],
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as When;
}

/** Returns a sale of one line that meets conditions, for the rules of an affiliate and a link. */
function saleOf(when: When, { affiliate_id, link_id, at }: Pick<Rule, 'affiliate_id' | 'link_id'> & { at: Instant }): SaleFacts {
  const { products, prices, interval, codes, countries, metadata, sale_number, age_months, amount, tier, customer } = when;
  const line = {
    product: products?.[0] ?? null,
    price: prices?.[0] ?? null,
    interval: interval?.[0] ?? null,
    quantity: 1,
    net_cents: amount?.from ?? 0,
  };
  const age = age_months?.from ?? 0;
  return {
    at,
    affiliate_id: affiliate_id ?? '',
    link_id,
    currency: amount?.currency ?? '',
    lines: [line],
    codes: codes?.slice(0, 1) ?? [],
    country: countries?.[0] ?? null,
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([key, values]) => [key, values[0]!])),
    sale_number: sale_number?.from ?? Math.min(sale_number?.to ?? 2, 2),
    age_months: age,
    customer: customer ?? 'returning',
    tiers: tier?.slice(0, 1) ?? [],
    used_cents: {},
  };
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
