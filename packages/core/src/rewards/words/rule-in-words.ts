import { amountIn, dayIn, inLanguage, listIn, shareIn } from '../../platform/mail/in-language.ts';
import type { Language, Texts } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/clock.ts';
import type { Cap, Interval, Metric, MilestoneWindow, Rule } from '../worth/rule.ts';

/** Wordings of reward rules, for the pages and the portal. */
export const RULE_TEXTS = {
  rule: {
    nothing: { en: 'Nothing', de: 'Nichts' },
    perUnit: { en: '{amount} for each unit', de: '{amount} für jedes Stück' },
    onTop: { en: '{reward} on top', de: 'zusätzlich {reward}' },
    forLead: { en: '{amount} for each lead', de: '{amount} für jeden Interessenten' },
    products: { en: 'for {things}', de: 'für {things}' },
    somePrices: { en: 'for certain prices', de: 'für bestimmte Preise' },
    codes: { en: 'with the code {things}', de: 'mit dem Code {things}' },
    countries: { en: 'for customers in {things}', de: 'für Kunden in {things}' },
    someOrders: { en: 'for certain orders', de: 'für bestimmte Bestellungen' },
    firstSale: { en: 'for the first sale to a customer', de: 'für den ersten Verkauf an einen Kunden' },
    fromSale: { en: 'from sale {from} to a customer on', de: 'ab dem {from}. Verkauf an einen Kunden' },
    salesBetween: { en: 'for sales {from} to {to} to a customer', de: 'für den {from}. bis {to}. Verkauf an einen Kunden' },
    firstMonths: {
      en: { one: 'in the first month of a customer', other: 'in the first {count} months of a customer' },
      de: { one: 'im ersten Monat eines Kunden', other: 'in den ersten {count} Monaten eines Kunden' },
    },
    laterMonths: {
      en: { one: 'after the first month of a customer', other: 'after the first {count} months of a customer' },
      de: { one: 'nach dem ersten Monat eines Kunden', other: 'nach den ersten {count} Monaten eines Kunden' },
    },
    monthsBetween: { en: 'in months {from} to {to} of a customer', de: 'im {from}. bis {to}. Monat eines Kunden' },
    largeOrders: { en: 'for orders of {amount} or more', de: 'für Bestellungen ab {amount}' },
    smallOrders: { en: 'for orders below {amount}', de: 'für Bestellungen unter {amount}' },
    newCustomers: { en: 'for new customers', de: 'für neue Kunden' },
    returningCustomers: { en: 'for returning customers', de: 'für wiederkehrende Kunden' },
    tiers: { en: 'from tier {things}', de: 'ab der Stufe {things}' },
    ownLink: { en: 'through one of your links', de: 'über einen Ihrer Links' },
    until: { en: 'until {day}', de: 'bis {day}' },
    from: { en: 'from {day}', de: 'ab {day}' },
    day: { en: 'billed daily', de: 'bei täglicher Zahlung' },
    week: { en: 'billed weekly', de: 'bei wöchentlicher Zahlung' },
    month: { en: 'billed monthly', de: 'bei monatlicher Zahlung' },
    year: { en: 'billed yearly', de: 'bei jährlicher Zahlung' },
    one_time: { en: 'paid once', de: 'bei einmaliger Zahlung' },
    everyCustomers: {
      en: { one: '{amount} for every customer', other: '{amount} for every {count} customers' },
      de: { one: '{amount} für jeden Kunden', other: '{amount} für je {count} Kunden' },
    },
    everySales: {
      en: { one: '{amount} for every sale', other: '{amount} for every {count} sales' },
      de: { one: '{amount} für jeden Verkauf', other: '{amount} für je {count} Verkäufe' },
    },
    everyRevenue: { en: '{amount} for every {revenue} of sales', de: '{amount} für je {revenue} Umsatz' },
    atCustomers: {
      en: { one: '{amount} at the first customer', other: '{amount} at {count} customers' },
      de: { one: '{amount} beim ersten Kunden', other: '{amount} bei {count} Kunden' },
    },
    atSales: {
      en: { one: '{amount} at the first sale', other: '{amount} at {count} sales' },
      de: { one: '{amount} beim ersten Verkauf', other: '{amount} bei {count} Verkäufen' },
    },
    atRevenue: { en: '{amount} at {revenue} of sales', de: '{amount} bei {revenue} Umsatz' },
    inMonth: { en: 'in a month', de: 'in einem Monat' },
    atMost: { en: '{rule}, at most {amount}', de: '{rule}, höchstens {amount}' },
    inYear: { en: 'in a year', de: 'in einem Jahr' },
    ofSale: { en: 'for each sale', de: 'für jeden Verkauf' },
    ofReferral: { en: 'for each customer', de: 'für jeden Kunden' },
    ofAffiliate: { en: 'for each affiliate', de: 'für jeden Partner' },
    inQuarter: { en: 'in a quarter', de: 'in einem Quartal' },
  },
} as const satisfies Texts;

const t = RULE_TEXTS.rule;

/** Names for people, by id. */
export interface RuleNames {
  products: ReadonlyMap<string, string>;
  tiers: ReadonlyMap<string, string>;
}

/** The parts of a rule that an affiliate reads. */
export type SpokenRule = Pick<Rule, 'event' | 'when' | 'pay' | 'apply' | 'cap' | 'milestone' | 'link_id' | 'from' | 'until'>;

/** The time at which a sentence is read, and the time zone of its days. */
interface Reading {
  now: Instant;
  timeZone: string;
}

/** Describes a reward rule in one sentence. */
export function ruleInWords(rule: SpokenRule, language: Language, names: RuleNames, { now, timeZone }: Reading): string {
  const clauses = [rewardOf(rule, language), ...conditionsOf(rule, language, names)];
  const say = inLanguage(language);
  if (rule.from !== null && rule.from > now) clauses.push(say(t.from, { day: dayIn(language, rule.from, timeZone) }));
  if (rule.until !== null) clauses.push(say(t.until, { day: dayIn(language, rule.until, timeZone) }));
  const uncapped = clauses.join(' ');
  const sentence = rule.cap === null ? uncapped : say(t.atMost, { rule: uncapped, amount: capInWords(rule.cap, language) });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function rewardOf(rule: SpokenRule, language: Language): string {
  const { pay, event, apply, milestone } = rule;
  const say = inLanguage(language);
  if (pay.kind === 'nothing') return say(t.nothing);
  if (pay.kind === 'percent') {
    const share = shareIn(language, pay.basis_points / 10_000);
    return apply === 'on_top' ? say(t.onTop, { reward: share }) : share;
  }
  const amount = amountIn(language, pay);
  if (event === 'lead') return say(t.forLead, { amount });
  if (milestone !== null) return milestoneInWords(milestone, { amount, currency: pay.currency }, language);
  const reward = pay.per === 'unit' ? say(t.perUnit, { amount }) : amount;
  return apply === 'on_top' ? say(t.onTop, { reward }) : reward;
}

function capInWords(cap: Cap, language: Language): string {
  const say = inLanguage(language);
  const scopes = { sale: t.ofSale, referral: t.ofReferral, affiliate: t.ofAffiliate } satisfies Record<Cap['per'], unknown>;
  const windows = { ever: null, month: t.inMonth, year: t.inYear } satisfies Record<Cap['window'], unknown>;
  const window = windows[cap.window];
  const amount = `${amountIn(language, cap)} ${say(scopes[cap.per])}`;
  // A sale is charged at one time, so the window of its cap has no effect.
  return window === null || cap.per === 'sale' ? amount : `${amount} ${say(window)}`;
}

function milestoneInWords(
  { metric, window, every, at }: NonNullable<SpokenRule['milestone']>,
  { amount, currency }: { amount: string; currency: string },
  language: Language,
): string {
  const say = inLanguage(language);
  const count = every ?? at ?? 0;
  const revenue = amountIn(language, { amount_cents: count, currency });
  const isEvery = every !== undefined;
  const reached = {
    customers: () => say(isEvery ? t.everyCustomers : t.atCustomers, { amount, count }),
    sales: () => say(isEvery ? t.everySales : t.atSales, { amount, count }),
    revenue: () => say(isEvery ? t.everyRevenue : t.atRevenue, { amount, revenue }),
  } satisfies Record<Metric, () => string>;
  const windows = { ever: null, month: t.inMonth, quarter: t.inQuarter } satisfies Record<MilestoneWindow, unknown>;
  const period = windows[window];
  return period === null ? reached[metric]() : `${reached[metric]()} ${say(period)}`;
}

function conditionsOf({ when, link_id }: SpokenRule, language: Language, names: RuleNames): string[] {
  const say = inLanguage(language);
  const list = (ids: readonly string[], known: ReadonlyMap<string, string>) =>
    listIn(
      language,
      ids.map((id) => known.get(id) ?? id),
    );
  const intervals: Record<Interval, string> = {
    day: say(t.day),
    week: say(t.week),
    month: say(t.month),
    year: say(t.year),
    one_time: say(t.one_time),
  };
  const { products, prices, interval, codes, countries, metadata, sale_number, age_months, amount, tier, customer } = when;
  const said: (string | false | undefined)[] = [
    products && say(t.products, { things: list(products, names.products) }),
    prices && say(t.somePrices),
    interval &&
      listIn(
        language,
        interval.map((each) => intervals[each]),
      ),
    codes && say(t.codes, { things: listIn(language, codes) }),
    countries && say(t.countries, { things: listIn(language, countriesIn(language, countries)) }),
    metadata && Object.keys(metadata).length > 0 && say(t.someOrders),
    sale_number && saleNumberInWords(sale_number, language),
    age_months && ageInWords(age_months, language),
    amount?.from !== undefined && say(t.largeOrders, { amount: amountIn(language, { ...amount, amount_cents: amount.from }) }),
    amount?.to !== undefined && say(t.smallOrders, { amount: amountIn(language, { ...amount, amount_cents: amount.to }) }),
    customer && say(customer === 'new' ? t.newCustomers : t.returningCustomers),
    tier && say(t.tiers, { things: list(tier, names.tiers) }),
    link_id !== null && say(t.ownLink),
  ];
  return said.filter((each) => typeof each === 'string');
}

function saleNumberInWords({ from = 1, to }: { from?: number; to?: number }, language: Language): string {
  const say = inLanguage(language);
  if (to === undefined) return say(t.fromSale, { from });
  return to === 1 ? say(t.firstSale) : say(t.salesBetween, { from: Math.max(1, from), to });
}

function ageInWords({ from = 0, to }: { from?: number; to?: number }, language: Language): string {
  const say = inLanguage(language);
  if (to === undefined) return say(t.laterMonths, { count: from });
  return from === 0 ? say(t.firstMonths, { count: to }) : say(t.monthsBetween, { from: from + 1, to });
}

function countriesIn(language: Language, codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return codes.map((code) => names.of(code) ?? code);
}
