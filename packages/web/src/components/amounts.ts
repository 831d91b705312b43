import { decimalAmount, minorUnitDigits } from '@affiliate/core/browser';
import { LOCALE } from '../texts/language.ts';

/** An amount in the minor unit as readers write it, to the last digit. */
export function formatMoney(cents: number, currency: string): string {
  // As text: floating point would lose digits of large amounts.
  return formatOf(currency).format(decimalAmount(cents, currency) as Intl.StringNumericLiteral);
}

/** For the axes of charts: rounded, so that it stays short. */
export function formatRoughly(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact', minimumFractionDigits: 0 });
  return format.format(cents / 10 ** minorUnitDigits(currency));
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  // Every place is shown: what is usual in a country may leave off what is owed.
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
