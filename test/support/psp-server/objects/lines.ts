import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';

/** A price that is charged every `every`, or once. */
export function price(
  product: string,
  every: Stripe.Price.Recurring.Interval | null,
  fields: Partial<Stripe.Price> = {},
): Stripe.Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: nowSeconds(),
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: every && { interval: every, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: every === null ? 'one_time' : 'recurring',
    unit_amount: 2000,
    unit_amount_decimal: null,
    ...fields,
  };
}

/** A line of an invoice. Amounts are those of the line before its discounts, with included tax. */
interface Sold {
  amount: number;
  description?: string;
  quantity?: number;
  discount?: number;
  includedTax?: number;
  proration?: boolean;
}

/** A line of an invoice, in the form of events, which do not expand the price. */
export function invoiceLine(
  of: Stripe.Price | null,
  { amount, description, quantity = 1, discount = 0, includedTax = 0, proration = false }: Sold,
): Stripe.InvoiceLineItem {
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: of?.currency ?? 'usd',
    description: description ?? null,
    discount_amounts: discount === 0 ? [] : [{ amount: discount, discount: newId('di') }],
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration,
        proration_details: null,
        subscription: null,
        subscription_item: newId('si'),
      },
    },
    period: { start: nowSeconds(), end: nowSeconds() },
    pretax_credit_amounts: [],
    pricing: of && {
      type: 'price_details',
      price_details: { price: of.id, product: of.product as string },
      unit_amount_decimal: null,
    },
    quantity,
    quantity_decimal: null,
    subscription: null,
    subtotal: amount,
    taxes:
      includedTax === 0
        ? []
        : [
            {
              amount: includedTax,
              tax_behavior: 'inclusive',
              tax_rate_details: null,
              taxability_reason: 'standard_rated',
              taxable_amount: null,
              type: 'tax_rate_details',
            },
          ],
  };
}

/** A line of a checkout. */
export function checkoutLine(
  of: Stripe.Price,
  {
    amount,
    description = null,
    quantity = 1,
    tax = 0,
  }: { amount: number; description?: string | null; quantity?: number; tax?: number },
): Stripe.LineItem {
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: tax,
    amount_total: amount,
    currency: of.currency,
    description,
    metadata: {},
    price: of,
    quantity,
  };
}
