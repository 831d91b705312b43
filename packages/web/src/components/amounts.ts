import { data } from 'currency-codes';

const DIGITS = new Map(data.map(({ code, digits }) => [code, digits]));

/** Decimal places of a currency's minor unit by ISO 4217, as the service counts: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnitDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** An amount in the minor unit as readers write it, to the last digit. */
export function formatMoney(cents: number, currency: string): string {
  return formatOf(currency).format(decimal(cents, minorUnitDigits(currency)));
}

/** An amount in the minor unit as a person may change it, e.g. `12.50`. */
export function amountText(cents: number, currency: string): string {
  return decimal(cents, minorUnitDigits(currency));
}

/** What somebody wrote as an amount, in the minor unit; null when it is none, or finer than the currency. */
export function amountOf(text: string, currency: string): number | null {
  const places = minorUnitDigits(currency);
  const [, whole, fraction = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > places) return null;
  return Number(whole + fraction.padEnd(places, '0'));
}

/** For the axes of charts: rounded, so that it stays short. */
export function formatRoughly(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, notation: 'compact', minimumFractionDigits: 0 });
  return format.format(cents / 10 ** minorUnitDigits(currency));
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  // Every place is shown: what is usual in a country may leave off what is owed.
  const places = minorUnitDigits(currency);
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  formats.set(currency, format);
  return format;
}

/** As text, because floating point would lose digits of large amounts. */
function decimal(cents: number, places: number): Intl.StringNumericLiteral {
  const digits = String(Math.abs(cents)).padStart(places + 1, '0');
  const whole = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return `${cents < 0 ? '-' : ''}${whole}` as Intl.StringNumericLiteral;
}
