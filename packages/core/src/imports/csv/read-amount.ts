import { minorUnitDigits, parseDecimalAmount } from '../../platform/money/money.ts';
import type { DecimalMark } from '../port/file-format.ts';

/** Why a text has no value: it has none, or two, e.g. `1.234`. */
export type Unread = 'no_reading' | 'two_readings';

/**
 * Reads an amount as people write it, e.g. `1,234.50`, `1.234,50`, `$ -12.5` or `1'234.50`, into the minor unit of its currency.
 *
 * @param decimal the mark before decimals, if it is known
 */
export function readAmount(text: string, currency: string, decimal: DecimalMark | null): number | Unread {
  const plain = text.replaceAll(/[\s\u00A0\u202F'’]|[A-Z]{3}|\p{Sc}/gu, '').replace('−', '-');
  const [, sign, digits] = /^(-?)([\d.,]+)$/.exec(plain) ?? [];
  if (digits === undefined) return 'no_reading';
  const parts = partsOf(digits, decimal, minorUnitDigits(currency));
  if (typeof parts === 'string') return parts;
  const [whole, fraction] = parts;
  const cents = parseDecimalAmount(fraction === '' ? whole : `${whole}.${fraction}`, currency);
  if (cents === null) return 'no_reading';
  return cents === 0 ? 0 : sign === '-' ? -cents : cents;
}

/** Splits digits with separators into the whole and the fraction. */
function partsOf(text: string, decimal: DecimalMark | null, places: number): [whole: string, fraction: string] | Unread {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return [text, ''];
  const mark = text[last]!;
  const [before, after] = [text.slice(0, last), text.slice(last + 1)];
  const isOnly = !/[.,]/.test(before);
  // A separator that repeats, or that is not the one of decimals, divides thousands.
  if (before.includes(mark) || (decimal !== null && mark !== decimal))
    return isGrouped(text, mark) ? [text.replaceAll(mark, ''), ''] : 'no_reading';
  if (isOnly && after.length === 3 && places !== 3 && decimal === null) return 'two_readings';
  const group = mark === '.' ? ',' : '.';
  return isOnly || isGrouped(before, group) ? [before.replaceAll(group, ''), after] : 'no_reading';
}

function isGrouped(text: string, mark: string): boolean {
  const [first = '', ...others] = text.split(mark);
  return /^\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part));
}
