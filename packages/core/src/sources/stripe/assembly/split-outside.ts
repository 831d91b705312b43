import { splitTax } from './split-tax.ts';

/**
 * Splits the amount of an invoice that was paid outside the provider, when payments at the provider turn out to have paid the invoice.
 *
 * @param known the amounts of these payments. All amounts are in the currency's minor unit
 * @returns the rest that was paid outside, and the tax within each of the known payments
 */
export function splitOutside(
  { amount, tax }: { amount: number; tax: number },
  known: readonly number[],
): { rest: { amount: number; tax: number }; inside: number[] } {
  const rest = Math.max(0, amount - known.reduce((sum, each) => sum + each, 0));
  const taxes = splitTax(tax, [...known, rest]);
  return { rest: { amount: rest, tax: taxes.at(-1)! }, inside: taxes.slice(0, -1) };
}
