import { minorUnitDigits, parseDecimalAmount } from '../../platform/money/money.ts';

/**
 * Reads an amount as people write it, e.g. `1,234.50`, `1.234,50`, `$ -12.5` or `1'234.50`, into the minor unit of its currency.
 *
 * @returns null for a text with another form or with two readings, e.g. `1.234`
 */
export function readAmount(text: string, currency: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F'’]|[A-Z]{3}|\p{Sc}/gu, '').replace('−', '-');
  const [, sign, digits] = /^(-?)([\d.,]+)$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  const [whole, fraction] = partsOf(digits, minorUnitDigits(currency));
  if (whole === null) return null;
  const cents = parseDecimalAmount(fraction === '' ? whole : `${whole}.${fraction}`, currency);
  return cents === null || cents === 0 ? cents : sign === '-' ? -cents : cents;
}

/** Splits digits with separators. The first part is null if the separators have two readings or none. */
function partsOf(text: string, places: number): [whole: string | null, fraction: string] {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return [text, ''];
  const mark = text[last]!;
  const [before, after] = [text.slice(0, last), text.slice(last + 1)];
  const isOnly = !/[.,]/.test(before);
  // A separator that repeats divides thousands.
  if (before.includes(mark)) return isGrouped(text, mark) ? [text.replaceAll(mark, ''), ''] : [null, ''];
  if (isOnly && after.length === 3 && places !== 3) return [null, ''];
  const group = mark === '.' ? ',' : '.';
  return isOnly || isGrouped(before, group) ? [before.replaceAll(group, ''), after] : [null, ''];
}

function isGrouped(text: string, mark: string): boolean {
  const [first = '', ...others] = text.split(mark);
  return /^\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part));
}
