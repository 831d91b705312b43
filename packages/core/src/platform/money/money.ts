/** ISO 4217 codes that the service accepts. */
import { compare } from '../order/compare.ts';
export const CURRENCIES: readonly string[] = Intl.supportedValuesOf('currency');

/**
 * Currencies whose minor unit is not a hundredth, by ISO 4217 (2024-06-25). The list is written out here, because the pages load it and a library
 * would add the names and countries of all currencies. `money.test.ts` compares the list with a library.
 */
const OTHER_DIGITS: Readonly<Record<string, readonly string[]>> = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
    XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX`.split(/\s+/),
  3: ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'],
  4: ['CLF', 'UYW'],
};
const DIGITS = new Map(Object.entries(OTHER_DIGITS).flatMap(([digits, codes]) => codes.map((code) => [code, Number(digits)])));

/**
 * Returns the decimal places of a currency's minor unit by ISO 4217: 2 for USD, 0 for JPY, 3 for KWD. `Intl` gives the number of digits usually
 * shown, which is too small for some currencies (HUF, IDR, COP).
 */
export function minorUnitDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** Formats an amount in major units, for files and people: 123456 USD is `1234.56`, 1234 JPY is `1234`, -5 USD is `-0.05`. */
export function decimalAmount(amountCents: number, currency: string): string {
  const places = minorUnitDigits(currency);
  const text = String(Math.abs(amountCents)).padStart(places + 1, '0');
  const sign = amountCents < 0 ? '-' : '';
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/**
 * Parses an amount in major units, e.g. `12.50` or `12,5`, into the minor unit.
 *
 * @returns null for any other text, including one with more decimals than the currency has
 */
export function parseDecimalAmount(text: string, currency: string): number | null {
  const places = minorUnitDigits(currency);
  const [, whole, fraction = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > places) return null;
  return Number(whole + fraction.padEnd(places, '0'));
}

/**
 * Computes `amount` × `part` ÷ `whole`, for integers and a `whole` above zero. The result is exact, rounded half away from zero
 * (docs/rules/platform.md#money). Uses BigInt, because the product may exceed the safe integers.
 */
export function proportionOf(amount: number, part: number, whole: number): number {
  const product = 2n * BigInt(amount) * BigInt(part);
  const half = BigInt(product < 0n ? -whole : whole);
  return Number((product + half) / (2n * BigInt(whole)));
}

const WHOLE = 10_000;

/**
 * Computes a share of an amount, in the same minor unit. The result is exact, rounded half away from zero
 * (docs/rules/platform.md#money).
 *
 * @param basisPoints hundredths of a percent, 0 to 10,000
 */
export function shareOf(amountCents: number, basisPoints: number): number {
  return proportionOf(amountCents, basisPoints, WHOLE);
}

/**
 * Divides `total` into whole parts in proportion to `weights`, by the method of the largest remainder. The parts add up to `total`, and each part
 * is within one unit of its exact proportion. Of equal remainders, the earlier part gets the unit (docs/rules/platform.md#money).
 *
 * @param total an integer of at least 0
 * @param weights integers of at least 0, at least one of them. If all weights are 0, they count as equal
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) throw new RangeError('Nothing to divide the total among.');
  // The common cases need no exact arithmetic: one part, and parts that are what they were.
  if (weights.length === 1) return [total];
  if (weights.reduce((added, weight) => added + weight, 0) === total && total > 0) return [...weights];
  const given = weights.map(BigInt);
  const sum = given.reduce((added, weight) => added + weight, 0n);
  const counted = sum === 0n ? given.map(() => 1n) : given;
  const whole = sum === 0n ? BigInt(weights.length) : sum;
  const products = counted.map((weight) => BigInt(total) * weight);
  const parts = products.map((product) => Number(product / whole));
  const remainders = products.map((product) => product % whole);
  const missing = total - parts.reduce((added, part) => added + part, 0);
  const order = remainders.map((_, i) => i).sort((a, b) => compare(remainders[b]!, remainders[a]!) || a - b);
  for (const i of order.slice(0, missing)) parts[i]! += 1;
  return parts;
}
