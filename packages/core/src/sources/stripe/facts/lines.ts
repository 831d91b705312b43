import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { ProviderLine } from '../values/provider-event.ts';
import { currency, identifier, name, optionalAmount, reference, signedAmount, text } from '../values/provider-object.ts';

/**
 * Lines of invoices and checkouts. A line that cannot be read makes the lines of its object unknown, not the whole event: without them, the sale is
 * one line.
 */
const interval = z.enum(['day', 'week', 'month', 'year']);

const price = z.object({
  id: name,
  product: reference.catch(null),
  recurring: z.object({ interval }).nullish().catch(undefined),
});

/** A price: its id, or the object where the provider expanded it. */
const priceReference = z
  .union([name.transform((id) => ({ id, product: null, recurring: undefined })), price])
  .nullish()
  .catch(null);

type Price = z.output<typeof priceReference>;

const MAX_QUANTITY = 1_000_000;

const quantity = z
  .int()
  .nullish()
  .catch(null)
  .transform((value) => Math.min(Math.max(value ?? 1, 1), MAX_QUANTITY));

const taxes = z.array(z.object({ amount: signedAmount, inclusive: z.boolean().nullish(), tax_behavior: text })).nullish();

/** Before API version 2025-03-31 a line had `price` and `tax_amounts`. Since then it has `pricing` and `taxes`. */
const invoiceLine = z
  .object({
    id: text,
    amount: signedAmount,
    currency,
    description: text,
    quantity,
    price: priceReference,
    pricing: z
      .object({ price_details: z.object({ price: priceReference, product: reference }).nullish() })
      .nullish()
      .catch(null),
    discount_amounts: z.array(z.object({ amount: signedAmount })).nullish(),
    tax_amounts: taxes,
    taxes,
  })
  .transform((line): ProviderLine => {
    const details = line.pricing?.price_details ?? null;
    const sold = line.price ?? details?.price ?? null;
    const included = (line.taxes ?? line.tax_amounts ?? []).filter((tax) => tax.inclusive || tax.tax_behavior === 'inclusive');
    const net = line.amount - totalOf(line.discount_amounts ?? []) - totalOf(included);
    return {
      ...(line.id !== null && { id: line.id }),
      product: sold?.product ?? details?.product ?? null,
      price: sold?.id ?? null,
      name: nameOf(line.description),
      interval: intervalOf(sold),
      quantity: line.quantity,
      amount: toMinorUnit(net, line.currency),
    };
  });

const checkoutLine = z
  .object({
    amount_total: signedAmount,
    amount_tax: optionalAmount,
    currency,
    description: text,
    quantity,
    price: priceReference,
  })
  .transform((line): ProviderLine => ({
    product: line.price?.product ?? null,
    price: line.price?.id ?? null,
    name: nameOf(line.description),
    interval: intervalOf(line.price),
    quantity: line.quantity,
    amount: toMinorUnit(line.amount_total - (line.amount_tax ?? 0), line.currency),
  }));

const listOf = (line: z.ZodType<ProviderLine>) =>
  z
    .object({ data: z.array(line), has_more: z.boolean().default(false) })
    .nullish()
    .catch(null);

/** `lines` of an invoice. */
export const invoiceLines = listOf(invoiceLine);

/** `line_items` of a checkout. Events do not contain them. */
export const checkoutLines = listOf(checkoutLine);

/** Requested lines of an invoice, whose prices are expanded. */
export const listedInvoiceLines = z.array(invoiceLine);

export const listedCheckoutLines = z.array(checkoutLine);

/** True if the lines are complete, and the billing interval of each price is known. */
export function areKnown(lines: z.output<typeof invoiceLines>): boolean {
  return lines != null && !lines.has_more && lines.data.every(({ price: id, interval: every }) => id === null || every !== null);
}

/** Returns the billing interval of a price. Null for a price of which only the id is known. */
function intervalOf(sold: Price): ProviderLine['interval'] {
  if (sold == null || sold.recurring === undefined) return null;
  return sold.recurring === null ? 'one_time' : sold.recurring.interval;
}

function nameOf(description: string | null): string | null {
  return description === null ? null : identifier.parse(description.slice(0, 255));
}

function totalOf(amounts: readonly { amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
