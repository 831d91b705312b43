import { parseDecimalAmount } from '../../platform/money/money.ts';
import { readIso8601 } from '../../platform/time/iso-8601.ts';
import type { DecimalMark, DateOrder } from '../port/file-format.ts';

/** Why a text has no value: it has none, or two, e.g. `1.234`. */
export type Unread = 'no_reading' | 'two_readings';

/**
 * Reads an amount as people write it, e.g. `1,234.50`, `1.234,50`, `$ -12.5` or `1'234.50`, into the minor unit of its currency. An amount that names
 * another currency has no reading.
 *
 * @param currency null if it is not known
 * @param decimal the mark before decimals, if it is known
 */
export function readAmount(text: string, currency: string | null, decimal: DecimalMark | null): number | Unread {
  const names = text.match(/[A-Z]{3}|\p{Sc}/gu) ?? [];
  if (currency !== null && !names.every((name) => isNameOf(name, currency))) return 'no_reading';
  const plain = text.replaceAll(/[\s\u00A0\u202F'’]|[A-Z]{3}|\p{Sc}/gu, '').replace('−', '-');
  const [, sign, digits] = /^(-?)([\d.,]+)$/.exec(plain) ?? [];
  if (digits === undefined) return 'no_reading';
  const parts = partsOf(digits, decimal);
  if (typeof parts === 'string') return parts;
  const [whole, fraction] = parts;
  const cents = parseDecimalAmount(fraction === '' ? whole : `${whole}.${fraction}`, currency ?? 'USD');
  if (cents === null) return 'no_reading';
  return cents === 0 ? 0 : sign === '-' ? -cents : cents;
}

/** True if a code or a symbol may stand for a currency. Several currencies have the symbol `$`. */
function isNameOf(name: string, currency: string): boolean {
  if (name.length === 3 || !/^[A-Z]{3}$/.test(currency)) return name === currency;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).some(({ type, value }) => type === 'currency' && value.includes(name));
}

/** Splits digits with separators into the whole and the fraction. */
function partsOf(text: string, decimal: DecimalMark | null): [whole: string, fraction: string] | Unread {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return [text, ''];
  const mark = text[last]!;
  const [before, after] = [text.slice(0, last), text.slice(last + 1)];
  const isOnly = !/[.,]/.test(before);
  // A separator that repeats, or that is not the one of decimals, divides thousands.
  if (before.includes(mark) || (decimal !== null && mark !== decimal))
    return isGrouped(text, mark) ? [text.replaceAll(mark, ''), ''] : 'no_reading';
  if (isOnly && decimal === null && isGrouped(text, mark) && !text.startsWith('0')) return 'two_readings';
  const group = mark === '.' ? ',' : '.';
  return isOnly || isGrouped(before, group) ? [before.replaceAll(group, ''), after] : 'no_reading';
}

function isGrouped(text: string, mark: string): boolean {
  const [first = '', ...others] = text.split(mark);
  return /^\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part));
}

/** English and German names, by their first letters. */
const MONTHS = ['jan', 'feb', 'mar|mär|mrz', 'apr', 'may|mai', 'jun', 'jul', 'aug', 'sep', 'oct|okt', 'nov', 'dec|dez'].map(
  (names) => new RegExp(`^(${names})`, 'i'),
);

const CLOCK = String.raw`(?:[ T,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?: ?(?<half>[ap])\.?m\.?)?)?(?: ?(?:UTC|Z))?`;
const YEAR_FIRST = new RegExp(String.raw`^(?<year>\d{4})([-./])(?<month>\d{1,2})\2(?<day>\d{1,2})${CLOCK}$`, 'i');
const NUMBERS = new RegExp(String.raw`^(?<one>\d{1,2})(?<mark>[-./]) ?(?<other>\d{1,2})\k<mark> ?(?<year>\d{4})${CLOCK}$`, 'i');
const DAY_AND_NAME = new RegExp(
  String.raw`^(?<day>\d{1,2})(?:\.|st|nd|rd|th)?[ -](?<name>\p{L}{3,9})\.?,?[ -](?<year>\d{4})${CLOCK}$`,
  'iu',
);
const NAME_AND_DAY = new RegExp(
  String.raw`^(?<name>\p{L}{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})${CLOCK}$`,
  'iu',
);

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * Reads a time as people write it: ISO 8601, `2026/01/31`, `31.01.2026`, `1/31/2026 2:05 PM`, `31 Jan 2026` or `January 31, 2026`. Without an offset it is
 * in UTC. Dots separate days first.
 *
 * @param order that of days in numbers, if it is known
 */
export function readTime(text: string, order: DateOrder | null): Date | Unread {
  const exact = readIso8601(text);
  if (exact !== null) return new Date(exact);
  const named = (YEAR_FIRST.exec(text) ?? DAY_AND_NAME.exec(text) ?? NAME_AND_DAY.exec(text))?.groups;
  if (named) return timeOf(named, named['month'] ?? monthNamed(named['name']!), named['day']) ?? 'no_reading';
  const numbers = NUMBERS.exec(text)?.groups;
  if (!numbers) return 'no_reading';
  const dayFirst = timeOf(numbers, numbers['other'], numbers['one']);
  const monthFirst = timeOf(numbers, numbers['one'], numbers['other']);
  if (order !== null) return (order === 'day_first' ? dayFirst : monthFirst) ?? 'no_reading';
  if (numbers['mark'] === '.') return dayFirst ?? 'no_reading';
  if (dayFirst !== null && monthFirst !== null && dayFirst.getTime() !== monthFirst.getTime()) return 'two_readings';
  return dayFirst ?? monthFirst ?? 'no_reading';
}

function monthNamed(name: string): string {
  return String(MONTHS.findIndex((names) => names.test(name)) + 1);
}

function timeOf({ year, hour, minute, second, half }: Parts, month: string | undefined, day: string | undefined): Date | null {
  const two = (part: string | undefined = '0') => part.padStart(2, '0');
  const ofHalf = half === undefined ? two(hour) : two(String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)));
  const at = readIso8601(`${year}-${two(month)}-${two(day)}T${ofHalf}:${two(minute)}:${two(second)}Z`);
  return at === null ? null : new Date(at);
}
