import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { CreditedLine, CreditNoteChanged, IgnoredEvent } from '../values/provider-event.ts';
import {
  amount,
  currency,
  name,
  optionalAmount,
  reference,
  shippingCost,
  signedAmount,
  text,
} from '../values/provider-object.ts';

const taxes = z.array(z.object({ amount: signedAmount, inclusive: z.boolean().nullish(), tax_behavior: text })).nullish();

/** A line that names no line of the invoice takes back something else, e.g. a fee. A note whose lines cannot be read is one without lines. */
const creditedLine = z.object({
  invoice_line_item: text,
  amount: signedAmount,
  discount_amount: optionalAmount,
  taxes,
  tax_amounts: taxes,
});

/**
 * Newer API versions list `refunds`, each with the part that the note covers, and `total_taxes`. Older versions name one `refund` and list
 * `tax_amounts`. An entry of `refunds` without an id stands for a refund of a payment that was made outside the provider's charges.
 */
const creditNoteObject = z.object({
  id: name,
  invoice: reference,
  amount,
  total: optionalAmount,
  pre_payment_amount: optionalAmount.catch(null),
  total_excluding_tax: optionalAmount,
  total_taxes: taxes,
  tax_amounts: taxes,
  currency,
  status: text,
  lines: z
    .object({ data: z.array(creditedLine), has_more: z.boolean().default(false) })
    .nullish()
    .catch(null),
  out_of_band_amount: optionalAmount.catch(null),
  shipping_cost: shippingCost.catch(null),
  refund: reference,
  refunds: z.array(z.object({ refund: reference, amount_refunded: optionalAmount })).nullish(),
});

type CreditNoteObject = z.output<typeof creditNoteObject>;

/** `credit_note.created`, `credit_note.updated`, `credit_note.voided` */
export const creditNoteFact = creditNoteObject.transform((note): CreditNoteChanged | IgnoredEvent => {
  if (note.invoice === null) return { kind: 'ignored' };
  const total = note.total ?? note.amount;
  const tax = taxWithin(note, total);
  return {
    kind: 'credit_note_changed',
    creditNoteId: note.id,
    invoiceId: note.invoice,
    total: toMinorUnit(total, note.currency),
    taxAmount: tax === null ? null : toMinorUnit(tax, note.currency),
    currency: note.currency,
    refunds: refundsOf(note),
    ...beforeOf(note),
    ...outsideOf(note),
    ...shippingOf(note),
    ...linesOf(note),
    voided: note.status === 'void',
  };
});

/**
 * Computes the tax within a note's total, or null if the note does not contain it. The total without tax takes precedence over the itemized
 * taxes, because not every API version itemizes the tax on shipping.
 */
function taxWithin(note: CreditNoteObject, total: number): number | null {
  const itemized = note.total_taxes ?? note.tax_amounts;
  if (note.total_excluding_tax === null && !itemized) return null;
  const tax =
    note.total_excluding_tax === null ? itemized!.reduce((sum, item) => sum + item.amount, 0) : total - note.total_excluding_tax;
  return Math.min(Math.max(tax, 0), total);
}

function linesOf({ lines, currency }: CreditNoteObject): { lines?: CreditedLine[] } {
  if (lines == null || lines.has_more) return {};
  const credited = lines.data.flatMap((line): CreditedLine[] => {
    if (line.invoice_line_item === null) return [];
    const included = (line.taxes ?? line.tax_amounts ?? []).filter((tax) => tax.inclusive || tax.tax_behavior === 'inclusive');
    const net = line.amount - (line.discount_amount ?? 0) - included.reduce((sum, { amount: cents }) => sum + cents, 0);
    return net > 0 ? [{ lineId: line.invoice_line_item, amount: toMinorUnit(net, currency) }] : [];
  });
  return credited.length === 0 ? {} : { lines: credited };
}

function shippingOf({ shipping_cost, currency }: CreditNoteObject): { shipping?: number } {
  const cents = shipping_cost?.amount_total;
  return cents ? { shipping: toMinorUnit(cents, currency) } : {};
}

function beforeOf({ pre_payment_amount, currency }: CreditNoteObject): { before?: number } {
  return pre_payment_amount ? { before: toMinorUnit(pre_payment_amount, currency) } : {};
}

/** The rest of a note adds up: refunds, credit to the customer's balance, and what was paid back outside the provider. */
function outsideOf({ out_of_band_amount, refunds, currency }: CreditNoteObject): { outside?: number } {
  const recorded = (refunds ?? []).filter(({ refund }) => refund === null);
  const outside = recorded.reduce((sum, { amount_refunded }) => sum + (amount_refunded ?? 0), out_of_band_amount ?? 0);
  return outside > 0 ? { outside: toMinorUnit(outside, currency) } : {};
}

function refundsOf(note: CreditNoteObject): CreditNoteChanged['refunds'] {
  const listed = (note.refunds ?? []).flatMap(({ refund, amount_refunded }) =>
    refund === null
      ? []
      : [{ refundId: refund, amount: amount_refunded === null ? null : toMinorUnit(amount_refunded, note.currency) }],
  );
  return listed.length === 0 && note.refund !== null ? [{ refundId: note.refund, amount: null }] : listed;
}
