import { readIso8601 } from '../../platform/time/iso-8601.ts';
import type { DateOrder } from '../port/file-format.ts';
import type { Unread } from './read-amount.ts';

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
