/** Objects in the form of API versions older than the SDK, which has no types for them. */
import type { Stripe } from 'stripe';

/** In API versions before 2025-09-30, the expanded coupon is in `coupon`. */
export type LegacyPromotionCode = Omit<Stripe.PromotionCode, 'promotion' | 'customer_account'> & { coupon: Stripe.Coupon };

export function legacyPromotionCode(code: Stripe.PromotionCode, coupon: Stripe.Coupon): LegacyPromotionCode {
  const { promotion: _promotion, customer_account: _customerAccount, ...kept } = code;
  return { ...kept, coupon };
}

/** In API versions before 2025-03-31, the payment is in `charge` and `payment_intent`, the tax in `tax`, and a line has its price. */
export type LegacyInvoice = Omit<Stripe.Invoice, 'total_taxes' | 'payments' | 'lines'> & {
  lines: object;
  charge: string | null;
  payment_intent: string | null;
  paid: boolean;
  tax: number | null;
  total_tax_amounts: { amount: number; inclusive: boolean; tax_rate: string }[];
};

export function legacyInvoice(
  invoice: Stripe.Invoice,
  paidBy: Stripe.Charge | null,
  tax = 0,
  prices: readonly Stripe.Price[] = [],
): LegacyInvoice {
  const { total_taxes: _totalTaxes, payments: _payments, ...kept } = invoice;
  return {
    ...kept,
    lines: { ...invoice.lines, data: invoice.lines.data.map((line) => legacyLine(line, prices)) },
    charge: paidBy?.id ?? null,
    payment_intent: typeof paidBy?.payment_intent === 'string' ? paidBy.payment_intent : null,
    paid: true,
    tax,
    total_tax_amounts: tax ? [{ amount: tax, inclusive: true, tax_rate: 'txr_1' }] : [],
  };
}

function legacyLine(line: Stripe.InvoiceLineItem, prices: readonly Stripe.Price[]): object {
  const { pricing, taxes, parent: _parent, ...kept } = line;
  return {
    ...kept,
    price: prices.find(({ id }) => id === pricing?.price_details?.price) ?? null,
    tax_amounts: (taxes ?? []).map(({ amount }) => ({ amount, inclusive: true, tax_rate: 'txr_1' })),
  };
}

/** In API versions before 2025-03-31, the invoice is in `invoice`. */
export type LegacyCharge = Stripe.Charge & { invoice: string | null };

export function legacyCharge(charge: Stripe.Charge, invoice: string | null): LegacyCharge {
  return { ...charge, invoice };
}

/** In API versions before 2025, a note covers all of a single refund. In versions before 2025-03-31, the tax is in `tax_amounts`. */
export type LegacyCreditNote = Omit<Stripe.CreditNote, 'refunds' | 'total_taxes'> & {
  refund: string | null;
  tax_amounts: { amount: number; inclusive: boolean; tax_rate: string }[];
};

export function legacyCreditNote(note: Stripe.CreditNote, refund: Stripe.Refund | null): LegacyCreditNote {
  const { refunds: _refunds, total_taxes: totalTaxes, ...kept } = note;
  return {
    ...kept,
    refund: refund?.id ?? null,
    tax_amounts: (totalTaxes ?? []).map(({ amount }) => ({ amount, inclusive: true, tax_rate: 'txr_1' })),
  };
}
