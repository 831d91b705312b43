import type { Outputs } from '@affiliate/client';
import { decimalAmount, EVENT_CONDITIONS, parseDecimalAmount } from '@affiliate/core/browser';
import { instantOf, localTimeOf } from '../components/local-time.ts';
import { listIn, listText } from './list-text.ts';

export type Rule = Outputs['rewardRules']['get'];
type When = Rule['when'];
type Cap = NonNullable<Rule['cap']>;
type Milestone = NonNullable<Rule['milestone']>;

/** The fields of a rule that its form writes. */
export type WrittenRule = Pick<Rule, 'event' | 'when' | 'pay' | 'apply' | 'cap' | 'milestone' | 'hold_days' | 'from' | 'until'>;

/** The rows of conditions, in their order: the conditions of `when`, the cap, and the period. */
const ROWS = [
  'products',
  'prices',
  'interval',
  'tier',
  'customer',
  'sale_number',
  'age_months',
  'codes',
  'countries',
  'amount',
  'metadata',
  'cap',
  'period',
] as const;
export type Row = (typeof ROWS)[number];

/** Values of an input for numbers: text while it is empty or incomplete. */
type NumberText = number | string;
interface Ends {
  from: NumberText;
  to: NumberText;
}

/** The values of the form of a rule. */
export interface Values {
  kind: 'sale' | 'on_top' | 'lead' | 'milestone';
  pays: 'percent' | 'fixed' | 'nothing';
  percent: NumberText;
  fixed: { amount: string; currency: string; per: 'sale' | 'unit' };
  milestone: {
    metric: Milestone['metric'];
    window: Milestone['window'];
    pays: 'every' | 'at';
    count: NumberText;
    revenue: string;
  };
  hold_days: NumberText;
  /** Rows that the rule has. */
  rows: Row[];
  /** Products and prices that are chosen by name, and ids of others. */
  products: { chosen: string[]; others: string };
  prices: { chosen: string[]; others: string };
  interval: string[];
  tier: string[];
  customer: 'new' | 'returning';
  sale_number: Ends;
  age_months: Ends;
  codes: string;
  countries: string;
  amount: { from: string; to: string; currency: string };
  metadata: { key: string; values: string }[];
  cap: { amount: string; currency: string; per: Cap['per']; window: Cap['window'] };
  period: { from: string; until: string };
}

/** Returns the values of an empty form. */
export function emptyValues(currency: string): Values {
  return {
    kind: 'sale',
    pays: 'percent',
    percent: 20,
    fixed: { amount: '', currency, per: 'sale' },
    milestone: { metric: 'customers', window: 'ever', pays: 'every', count: 10, revenue: '' },
    hold_days: 30,
    rows: [],
    products: { chosen: [], others: '' },
    prices: { chosen: [], others: '' },
    interval: [],
    tier: [],
    customer: 'new',
    sale_number: { from: '', to: '' },
    age_months: { from: '', to: '' },
    codes: '',
    countries: '',
    amount: { from: '', to: '', currency },
    metadata: [{ key: '', values: '' }],
    cap: { amount: '', currency, per: 'affiliate', window: 'month' },
    period: { from: '', until: '' },
  };
}

/** The products and prices that the form offers by name. */
interface Offered {
  products: readonly { id: string }[];
  prices: readonly { id: string }[];
}

/** Returns the values of the form that shows a rule. */
export function valuesOf(rule: WrittenRule, currency: string, offered: Offered | null): Values {
  const empty = emptyValues(currency);
  const { event, apply, pay, when, cap, milestone, hold_days, from, until } = rule;
  const { products = [], prices = [], interval = [], tier = [], codes = [], countries = [], metadata } = when;
  return {
    ...empty,
    kind: event === 'sale' && apply === 'on_top' ? 'on_top' : event,
    pays: pay.nothing ? 'nothing' : pay.fixed ? 'fixed' : 'percent',
    percent: pay.percent ?? empty.percent,
    fixed: pay.fixed ? { ...pay.fixed, amount: decimalAmount(pay.fixed.amount_cents, pay.fixed.currency) } : empty.fixed,
    milestone: milestone ? milestoneValues(milestone, pay.fixed?.currency ?? currency) : empty.milestone,
    hold_days: hold_days ?? '',
    rows: ROWS.filter((row) => {
      if (row === 'cap') return cap !== null;
      return row === 'period' ? from !== null || until !== null : when[row] !== undefined;
    }),
    products: chosenOf(products, offered?.products ?? []),
    prices: chosenOf(prices, offered?.prices ?? []),
    interval,
    tier,
    customer: when.customer ?? empty.customer,
    sale_number: endsOf(when.sale_number),
    age_months: endsOf(when.age_months),
    codes: listText(codes),
    countries: listText(countries),
    amount: when.amount ? amountValues(when.amount) : empty.amount,
    metadata: metadata ? Object.entries(metadata).map(([key, values]) => ({ key, values: listText(values) })) : empty.metadata,
    cap: cap ? { ...cap, amount: decimalAmount(cap.amount_cents, cap.currency) } : empty.cap,
    period: { from: from === null ? '' : localTimeOf(from), until: until === null ? '' : localTimeOf(until) },
  };
}

function milestoneValues({ metric, window, every, at }: Milestone, currency: string): Values['milestone'] {
  const count = every ?? at ?? 1;
  return {
    metric,
    window,
    pays: every === undefined ? 'at' : 'every',
    count: metric === 'revenue' ? 10 : count,
    revenue: metric === 'revenue' ? decimalAmount(count, currency) : '',
  };
}

function chosenOf(ids: readonly string[], offered: readonly { id: string }[]): { chosen: string[]; others: string } {
  const isOffered = (named: string) => offered.some(({ id }) => id === named);
  return { chosen: ids.filter(isOffered), others: listText(ids.filter((id) => !isOffered(id))) };
}

function endsOf(range: { from?: number; to?: number } | undefined): Ends {
  return { from: range?.from ?? '', to: range?.to ?? '' };
}

function amountValues({ from, to, currency }: NonNullable<When['amount']>): Values['amount'] {
  const shown = (cents?: number) => (cents === undefined ? '' : decimalAmount(cents, currency));
  return { from: shown(from), to: shown(to), currency };
}

/** Returns the rows that a rule of a kind can have. */
export function rowsFor(kind: Values['kind']): readonly Row[] {
  if (kind === 'sale' || kind === 'on_top') return ROWS;
  const allowed: readonly string[] = [...EVENT_CONDITIONS[kind], 'period'];
  return ROWS.filter((row) => allowed.includes(row));
}

/**
 * Returns the rule that the form describes, or null while the form is incomplete.
 *
 * @param stored the rule that the form showed at first. Its times are kept to the millisecond while their inputs are not changed
 */
export function ruleOf(values: Values, stored: Pick<Rule, 'from' | 'until'> | null = null): WrittenRule | null {
  const { kind } = values;
  const rows = rowsFor(kind).filter((row) => values.rows.includes(row));
  const has = (row: Row) => rows.includes(row);
  const pay = payOf(values);
  const when = whenOf(values, rows);
  const cap = has('cap') ? capOf(values.cap) : null;
  const from = has('period') ? timeOf(values.period.from, stored?.from ?? null) : null;
  const until = has('period') ? timeOf(values.period.until, stored?.until ?? null) : null;
  const milestone = kind === 'milestone' ? milestoneOf(values) : null;
  const holdDays = kind === 'lead' ? wholeNumber(values.hold_days) : undefined;
  if (pay === null || when === null || cap === undefined || milestone === undefined || holdDays === null) return null;
  if (from === undefined || until === undefined || (has('period') && from === null && until === null)) return null;
  return {
    event: kind === 'on_top' ? 'sale' : kind,
    when,
    pay,
    apply: kind === 'on_top' ? 'on_top' : 'instead',
    cap,
    milestone,
    hold_days: holdDays ?? null,
    from,
    until,
  };
}

function payOf({ kind, pays, percent, fixed }: Values): Rule['pay'] | null {
  const isOfSales = kind === 'sale' || kind === 'on_top';
  if (isOfSales && pays === 'nothing') return kind === 'sale' ? { nothing: true } : null;
  if (isOfSales && pays === 'percent') return typeof percent === 'number' ? { percent } : null;
  const amount_cents = parseDecimalAmount(fixed.amount, fixed.currency);
  if (amount_cents === null) return null;
  return { fixed: { amount_cents, currency: fixed.currency, per: isOfSales ? fixed.per : 'sale' } };
}

/** Returns undefined while the milestone is incomplete. */
function milestoneOf({ milestone, fixed }: Values): Milestone | undefined {
  const { metric, window, pays, count, revenue } = milestone;
  const reached = metric === 'revenue' ? parseDecimalAmount(revenue, fixed.currency) : wholeNumber(count);
  return reached == null || reached < 1 ? undefined : { metric, window, [pays]: reached };
}

/** Returns undefined while the cap is incomplete. */
function capOf({ amount, currency, per, window }: Values['cap']): Cap | undefined {
  const amount_cents = parseDecimalAmount(amount, currency);
  return amount_cents === null ? undefined : { amount_cents, currency, per, window };
}

/** Reads the conditions of `when`. Each returns null while it is incomplete. */
const CONDITIONS: { [Name in keyof When]-?: (values: Values) => When[Name] | null } = {
  products: ({ products }) => filled([...products.chosen, ...listIn(products.others)]),
  prices: ({ prices }) => filled([...prices.chosen, ...listIn(prices.others)]),
  interval: ({ interval }) => filled(interval) as When['interval'] | null,
  tier: ({ tier }) => filled(tier),
  customer: ({ customer }) => customer,
  sale_number: ({ sale_number }) => rangeOf(wholeNumber(sale_number.from), wholeNumber(sale_number.to)),
  age_months: ({ age_months }) => rangeOf(wholeNumber(age_months.from), wholeNumber(age_months.to)),
  codes: ({ codes }) => filled(listIn(codes)),
  countries: ({ countries }) => countriesIn(countries),
  amount({ amount: { from, to, currency } }) {
    const range = rangeOf(optionalAmount(from, currency), optionalAmount(to, currency));
    return range && { ...range, currency };
  },
  metadata: ({ metadata }) => metadataOf(metadata),
};

function whenOf(values: Values, rows: readonly Row[]): When | null {
  const names = rows.filter((row) => row !== 'cap' && row !== 'period');
  const read = names.map((name) => [name, CONDITIONS[name](values)] as const);
  return read.some(([, value]) => value === null) ? null : Object.fromEntries(read);
}

function filled(values: string[]): string[] | null {
  return values.length === 0 ? null : values;
}

/** Returns the number, undefined for an empty input, or null for another text. */
function wholeNumber(value: NumberText): number | undefined | null {
  if (value === '') return undefined;
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function optionalAmount(text: string, currency: string): number | undefined | null {
  return text.trim() === '' ? undefined : parseDecimalAmount(text, currency);
}

function rangeOf(from: number | undefined | null, to: number | undefined | null): { from?: number; to?: number } | null {
  if (from === null || to === null) return null;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function countriesIn(text: string): string[] | null {
  const codes = listIn(text).map((code) => code.toUpperCase());
  return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? filled(codes) : null;
}

/** Leaves out empty lines beside others. */
function metadataOf(lines: Values['metadata']): Record<string, string[]> | null {
  const given = lines.filter(({ key, values }) => key.trim() !== '' || values.trim() !== '');
  const read = given.map(({ key, values }) => [key, listIn(values)] as const);
  const isComplete = read.every(([key, values]) => key.trim() !== '' && values.length > 0);
  if (!isComplete || (given.length === 0 && lines.length > 0)) return null;
  return Object.fromEntries(read);
}

/** Returns the instant of an input, null for an empty input, or undefined for another text. */
function timeOf(text: string, stored: string | null): string | null | undefined {
  if (stored !== null && text === localTimeOf(stored)) return stored;
  if (text === '') return null;
  return Number.isNaN(Date.parse(text)) ? undefined : instantOf(text);
}

/** The fields that change what a rule pays. The event of a rule never changes. */
const CHANGING = ['when', 'pay', 'apply', 'cap', 'milestone', 'hold_days', 'from', 'until'] as const;

/** Returns the fields of a rule that differ from the stored rule. The order of lists and of fields does not count. */
export function changesOf(stored: WrittenRule, written: WrittenRule): Partial<Omit<WrittenRule, 'event'>> {
  const changed = CHANGING.filter((name) => comparable(stored[name]) !== comparable(written[name]));
  return Object.fromEntries(changed.map((name) => [name, written[name]]));
}

function comparable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (Array.isArray(part)) return [...new Set(part as string[])].toSorted();
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
