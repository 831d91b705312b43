/**
 * Splits a tax over amounts in proportion, e.g. the tax of an invoice over its payments. The shares add up to the tax exactly: each is the
 * rounded running total minus the shares before it.
 *
 * @param tax in the currency's minor unit, like the amounts
 */
export function splitTax(tax: number, amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  let paid = 0;
  let given = 0;
  return amounts.map((amount) => {
    paid += amount;
    const due = total === 0 ? 0 : roundedShare(tax, paid, total) - given;
    given += due;
    return due;
  });
}

/** Uses big integers, because the product may exceed the largest integer that a `number` represents exactly. */
function roundedShare(tax: number, part: number, total: number): number {
  return Number((2n * BigInt(Math.max(0, tax)) * BigInt(part) + BigInt(total)) / (2n * BigInt(total)));
}

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
