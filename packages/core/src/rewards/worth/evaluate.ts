/**
 * Decides what a sale is worth. A function of rules and facts: it reads no clock and no database (docs/rules/rewards.md#reward-rules).
 */
import type { Instant } from '../../platform/time/instant.ts';
import {
  type CustomerKind,
  type Interval,
  isExclusion,
  type LineTerms,
  type Pay,
  type Range,
  type Rule,
  type Terms,
  type When,
} from './rule.ts';

/** One line of a sale: what was sold, and its share of the amount of the sale. */
export interface Line {
  product: string | null;
  price: string | null;
  /** Text that names what was sold for people. */
  name?: string | null | undefined;
  interval: Interval | null;
  quantity: number;
  /** Amount without tax and discounts, at the charge. The amounts of all lines add up to the amount of the sale. */
  net_cents: number;
  /** The stated amount after negative lines, if the amounts of the lines do not add up to that of the sale. Corrections divide by it. */
  recorded_cents?: number | undefined;
}

/** Everything about a sale that decides what it is worth. */
export interface SaleFacts {
  /** The time whose rules decide: that of the charge. */
  at: Instant;
  affiliate_id: string;
  link_id: string | null;
  currency: string;
  lines: readonly Line[];
  codes: readonly string[];
  country: string | null;
  metadata: Readonly<Record<string, string>>;
  sale_number: number;
  age_months: number;
  customer: CustomerKind;
  /** Ids of the tiers that the affiliate has at the charge. */
  tiers: readonly string[];
  /** The amounts that rules with a cap have paid already within the window of the cap, by the id of the rule. */
  used_cents: Readonly<Record<string, number>>;
}

/** The rules of a campaign, and its base reward, which is the last rule. */
export interface Rewards {
  rules: readonly Rule[];
  base: Pay;
}

/** The terms of a sale, and those of each further commission that it earns. */
export interface SaleTerms {
  sale: Terms;
  bonuses: readonly Terms[];
}

/**
 * Returns the terms of a sale. For each line, the first rule decides whose conditions hold: rules of the link come before those of the affiliate,
 * those before the rules of the campaign, and the base reward is last. Each rule that pays on top gives terms of its own.
 */
export function evaluate({ rules, base }: Rewards, facts: SaleFacts): SaleTerms {
  const ordered = rules
    .filter((rule) => rule.event === 'sale' && isInEffectFor(rule, facts) && matchesSale(rule.when, facts))
    .toSorted(byRank);
  const instead = ordered.filter(({ apply }) => apply === 'instead');
  const decided = facts.lines.map((line, i) => {
    const rule = instead.find(({ when }) => matchesLine(when, line));
    return rule === undefined ? lineTerms(null, base, i, facts) : lineTerms(rule, rule.pay, i, facts);
  });
  const bonuses = ordered
    .filter(({ apply }) => apply === 'on_top')
    .flatMap((rule): Terms[] => {
      const lines = facts.lines.flatMap((line, i) => (matchesLine(rule.when, line) ? [lineTerms(rule, rule.pay, i, facts)] : []));
      return lines.length === 0 ? [] : [inOneCurrency('bonus', lines, facts.currency)];
    });
  return { sale: inOneCurrency('sale', decided, facts.currency), bonuses };
}

/** Compares rules by the order in which they decide (docs/rules/rewards.md#reward-rules). */
export function byRank(a: Rule, b: Rule): number {
  return rankOf(a) - rankOf(b) || byPlace(a, b);
}

/** Compares rules of the same link, affiliate or campaign. With the same position, exclusions come first, then the order of creation counts. */
export function byPlace(a: Rule, b: Rule): number {
  return a.position - b.position || Number(isExclusion(b)) - Number(isExclusion(a)) || (a.id < b.id ? -1 : 1);
}

function rankOf({ link_id, affiliate_id }: Rule): number {
  return link_id !== null ? 0 : affiliate_id !== null ? 1 : 2;
}

/** True if the rule is about the affiliate and the link, at a time in its period. */
export function isInEffectFor(
  { link_id, affiliate_id, from, until }: Rule,
  facts: Pick<SaleFacts, 'at' | 'affiliate_id' | 'link_id'>,
): boolean {
  return (
    (link_id === null || link_id === facts.link_id) &&
    (affiliate_id === null || affiliate_id === facts.affiliate_id) &&
    (from === null || facts.at >= from) &&
    (until === null || facts.at < until)
  );
}

function matchesSale(when: When, facts: SaleFacts): boolean {
  const { codes, countries, metadata, sale_number, age_months, amount, tier, customer } = when;
  const amountCents = facts.lines.reduce((sum, { net_cents }) => sum + net_cents, 0);
  return (
    (codes === undefined || codes.some((code) => facts.codes.some((redeemed) => isSameCode(code, redeemed)))) &&
    (countries === undefined || (facts.country !== null && countries.includes(facts.country))) &&
    (metadata === undefined ||
      Object.entries(metadata).every(
        ([key, values]) => Object.hasOwn(facts.metadata, key) && values.includes(facts.metadata[key]!),
      )) &&
    (sale_number === undefined ||
      (isFrom(sale_number, facts.sale_number) && facts.sale_number <= (sale_number.to ?? Infinity))) &&
    (age_months === undefined || isWithin(age_months, facts.age_months)) &&
    (amount === undefined || (amount.currency === facts.currency && isWithin(amount, amountCents))) &&
    (tier === undefined || tier.some((id) => facts.tiers.includes(id))) &&
    (customer === undefined || customer === facts.customer)
  );
}

function matchesLine({ products, prices, interval }: When, line: Line): boolean {
  return (
    (products === undefined || (line.product !== null && products.includes(line.product))) &&
    (prices === undefined || (line.price !== null && prices.includes(line.price))) &&
    (interval === undefined || (line.interval !== null && interval.includes(line.interval)))
  );
}

function isSameCode(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isFrom({ from = -Infinity }: Range, value: number): boolean {
  return value >= from;
}

/** True if the value is in a range that does not include its end. */
function isWithin(range: Range, value: number): boolean {
  return isFrom(range, value) && value < (range.to ?? Infinity);
}

function lineTerms(rule: Rule | null, pay: Pay, line: number, facts: SaleFacts): LineTerms {
  return {
    line,
    rule_id: rule?.id ?? null,
    rule_version: rule?.version ?? null,
    pay,
    quantity: facts.lines[line]!.quantity,
    at_most_cents: rule === null || !isCapCounted(rule, facts) ? null : atMost(rule, facts),
    note: rule === null || rule.cap === null || isCapCounted(rule, facts) ? null : 'cap_other_currency',
  };
}

/** False for a cap in another currency than the rule pays in. */
function isCapCounted({ cap, pay }: Rule, { currency }: SaleFacts): boolean {
  return cap === null || pay.kind === 'nothing' || cap.currency === currencyOf(pay, currency);
}

/** Returns what the cap of a rule leaves for a sale, or null without a cap. */
function atMost({ id, cap }: Rule, { used_cents }: SaleFacts): number | null {
  if (cap === null) return null;
  return cap.per === 'sale' ? cap.amount_cents : Math.max(0, cap.amount_cents - (used_cents[id] ?? 0));
}

function currencyOf(pay: Pay, saleCurrency: string): string {
  return pay.kind === 'fixed' ? pay.currency : saleCurrency;
}

/**
 * Gives a commission one currency, because currencies are never mixed or converted: that of the sale if a line pays in it, otherwise that of the
 * first line that pays. Lines that would pay in another currency earn nothing.
 */
function inOneCurrency(kind: Terms['kind'], lines: readonly LineTerms[], saleCurrency: string): Terms {
  const currencies = lines.filter(({ pay }) => pay.kind !== 'nothing').map(({ pay }) => currencyOf(pay, saleCurrency));
  const currency = currencies.includes(saleCurrency) ? saleCurrency : (currencies[0] ?? saleCurrency);
  return {
    kind,
    currency,
    lines: lines.map((line) =>
      line.pay.kind === 'nothing' || currencyOf(line.pay, saleCurrency) === currency
        ? line
        : { ...line, pay: { kind: 'nothing' }, at_most_cents: null, note: 'other_currency' },
    ),
  };
}

/** Everything about a lead that decides what it is worth. */
export type LeadFacts = Pick<SaleFacts, 'at' | 'affiliate_id' | 'link_id' | 'country' | 'tiers'>;

/** Returns the first rule that rewards a lead, or null. */
export function ruleForLead(rules: readonly Rule[], facts: LeadFacts): Rule | null {
  const { country, tiers } = facts;
  const meant = rules.filter(
    (rule) =>
      rule.event === 'lead' &&
      isInEffectFor(rule, facts) &&
      (rule.when.countries === undefined || (country !== null && rule.when.countries.includes(country))) &&
      (rule.when.tier === undefined || rule.when.tier.some((id) => tiers.includes(id))),
  );
  return meant.toSorted(byRank)[0] ?? null;
}
