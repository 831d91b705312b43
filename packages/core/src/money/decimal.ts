const digits = new Map<string, number>();

/** Decimal places of a currency's minor unit: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnitDigits(currency: string): number {
  let known = digits.get(currency);
  if (known === undefined) {
    known = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    digits.set(currency, known);
  }
  return known;
}

/** An amount in major units, for files and people: 123456 USD is `1234.56`, 1234 JPY is `1234`, -5 USD is `-0.05`. */
export function decimalAmount(amountCents: number, currency: string): string {
  const places = minorUnitDigits(currency);
  const text = String(Math.abs(amountCents)).padStart(places + 1, '0');
  const sign = amountCents < 0 ? '-' : '';
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}
