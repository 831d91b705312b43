import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';
import { taxOf } from './invoice.ts';

/**
 * Returns a credit note for a paid invoice. It covers `refunds`. The part of `amount` beyond the refunds is credited to the customer's
 * balance.
 */
export function creditNote(
  of: Pick<Stripe.Invoice, 'id' | 'currency'>,
  { refunds = [], tax, ...fields }: Partial<Omit<Stripe.CreditNote, 'refunds'>> & { refunds?: Stripe.Refund[]; tax: number },
): Stripe.CreditNote {
  const id = fields.id ?? newId('cn');
  const amount = fields.amount ?? refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: nowSeconds(),
    currency: of.currency,
    customer: 'cus_1',
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: nowSeconds(),
    invoice: of.id,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo: null,
    metadata: {},
    number: '7FE1103-0001-CN-01',
    out_of_band_amount: null,
    pdf: 'https://pay.stripe.example/credit-note',
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: null,
    refunds: refunds.map((refund) => ({
      amount_refunded: refund.amount,
      payment_record_refund: null,
      refund: refund.id,
      type: 'refund',
    })),
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount - tax,
    total: amount,
    total_excluding_tax: amount - tax,
    total_taxes: [taxOf(tax)],
    type: 'post_payment',
    voided_at: null,
    ...fields,
  };
}
