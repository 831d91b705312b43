/** Objects of Dodo, with the fields that its published types require. */

let counter = 0;
function dodoId(prefix: string): string {
  counter += 1;
  return `${prefix}_${String(counter).padStart(20, '0')}`;
}

type DodoCustomer = ReturnType<typeof customer>;
export function customer(email: string) {
  return { customer_id: dodoId('cus'), email, name: 'Grace', metadata: {}, phone_number: null };
}

export interface NewPayment {
  at: string;
  customer: DodoCustomer;
  total: number;
  tax?: number;
  currency?: string;
  status?: string;
  code?: string | null;
  subscriptionId?: string | null;
  metadata?: Record<string, string>;
  /** The link of the checkout; null for a renewal. */
  link?: string | null;
}

export type DodoPayment = ReturnType<typeof payment>;
export function payment({
  at,
  customer: buyer,
  total,
  tax = 0,
  currency = 'USD',
  status = 'succeeded',
  code = null,
  subscriptionId = null,
  metadata = {},
  link = null,
}: NewPayment) {
  return {
    billing: { country: 'US', city: null, state: null, street: null, zipcode: null },
    brand_id: 'brand_1',
    business_id: 'bus_1',
    created_at: at,
    currency,
    customer: buyer,
    digital_products_delivered: false,
    disputes: [] as DodoDispute[],
    is_multi_subscription: false,
    is_update_payment_method: false,
    metadata,
    payment_id: dodoId('pay'),
    payment_provider: 'stripe',
    refunds: [] as DodoRefund[],
    retry_attempt: 0,
    settlement_amount: total,
    settlement_currency: currency,
    subscription_ids: subscriptionId === null ? [] : [subscriptionId],
    total_amount: total,
    payment_link: link,
    checkout_session_id: null,
    discounts: code === null ? [] : [discountOf(code, at)],
    product_cart: subscriptionId === null ? [{ product_id: 'pdt_1', quantity: 1 }] : null,
    status,
    subscription_id: subscriptionId,
    tax,
    updated_at: null,
  };
}

function discountOf(code: string, at: string) {
  return {
    amount: 1_000,
    business_id: 'bus_1',
    code,
    created_at: at,
    discount_id: 'dsc_1',
    metadata: {},
    position: 0,
    preserve_on_plan_change: false,
    restricted_to: [],
    times_used: 1,
    type: 'percentage',
  };
}

/** The part of a payment that its refunds and disputes need. */
interface Paid {
  payment_id: string;
  total_amount: number;
  currency: string;
}

type DodoRefund = ReturnType<typeof refund>;
export function refund(of: Paid, at: string, status: string, amount: number) {
  return {
    business_id: 'bus_1',
    created_at: at,
    is_partial: amount < of.total_amount,
    payment_id: of.payment_id,
    refund_id: dodoId('ref'),
    status,
    amount,
    currency: of.currency,
    reason: null,
  };
}

type DodoDispute = ReturnType<typeof dispute>;
export function dispute(of: Paid, at: string, status: string) {
  return {
    amount: String(of.total_amount),
    business_id: 'bus_1',
    created_at: at,
    currency: of.currency,
    dispute_id: dodoId('dis'),
    dispute_stage: 'dispute',
    dispute_status: status,
    payment_id: of.payment_id,
  };
}
