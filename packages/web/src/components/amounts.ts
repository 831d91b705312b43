import { decimalAmount, minorUnitDigits } from '@affiliate/core/browser';
import { LOCALE } from '../texts/language.ts';

/** Formats an amount, given in the minor unit, with all of its digits. */
export function formatMoney(cents: number, currency: string): string {
  // The amount is passed as text, because floating point would lose digits of large amounts.
  return formatOf(currency).format(decimalAmount(cents, currency) as Intl.StringNumericLiteral);
}

/** Formats an amount with four digits, e.g. US$9.992M. */
export function formatShortMoney(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 4 });
  return format.format(cents / 10 ** minorUnitDigits(currency));
}

/** Formats a number with four digits, e.g. 12.34M. */
export function formatShortNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 4 }).format(value);
}

/** Formats an amount for a chart axis. Rounds it, to keep the label short. */
export function formatRoughly(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact', minimumFractionDigits: 0 });
  return format.format(cents / 10 ** minorUnitDigits(currency));
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  // Sets the number of decimals explicitly. The locale's default may show fewer than the currency has.
  const places = minorUnitDigits(currency);
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  formats.set(currency, format);
  return format;
}
