import type { ShippingCost } from '../../port/without-shipping.ts';

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

/** A part of an invoice, with the tax and the shipping within it. In the currency's minor unit. */
export interface InvoicePart {
  amount: number;
  tax: number;
  shipping: ShippingCost | null;
}

/** Splits the tax and the shipping of an invoice over parts of its amount (`splitTax`). */
export function splitInvoice(
  { tax, shipping }: Pick<InvoicePart, 'tax' | 'shipping'>,
  amounts: readonly number[],
): InvoicePart[] {
  const taxes = splitTax(tax, amounts);
  const ofShipping = shipping && { amounts: splitTax(shipping.amount, amounts), taxes: splitTax(shipping.tax, amounts) };
  return amounts.map((amount, i) => ({
    amount,
    tax: taxes[i]!,
    shipping: ofShipping && { amount: ofShipping.amounts[i]!, tax: ofShipping.taxes[i]! },
  }));
}

/**
 * Splits the part of an invoice that seemed to be paid outside the provider, when payments at the provider turn out to have paid it.
 *
 * @param known the amounts of these payments
 * @returns the rest that was paid outside, and what each of the known payments paid
 */
export function splitOutside(part: InvoicePart, known: readonly number[]): { rest: InvoicePart; inside: InvoicePart[] } {
  const rest = Math.max(0, part.amount - known.reduce((sum, each) => sum + each, 0));
  const parts = splitInvoice(part, [...known, rest]);
  return { rest: parts.at(-1)!, inside: parts.slice(0, -1) };
}
