/** An amount in the minor unit of its currency, as people write it. */
export function formatMoney(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(amountCents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
