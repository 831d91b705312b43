/** Objects of Polar, with the fields that its published types require. */
import { randomUUID } from 'node:crypto';

export type PolarCustomer = ReturnType<typeof customer>;
export function customer(email: string | null, at: string, externalId: string | null = null) {
  return {
    id: randomUUID(),
    created_at: at,
    modified_at: null,
    metadata: {},
    external_id: externalId,
    email,
    email_verified: true,
    type: 'individual',
    name: null,
    billing_name: null,
    billing_address: null,
    tax_id: null,
    locale: null,
    organization_id: 'org_1',
    default_payment_method_id: null,
    deleted_at: null,
    first_user_event_at: null,
    avatar_url: null,
  };
}

export interface NewOrder {
  at: string;
  customer: PolarCustomer;
  /** Before discount and tax. */
  subtotal: number;
  discount?: number;
  tax?: number;
  currency?: string;
  reason?: string;
  status?: string;
  code?: string | null;
  subscriptionId?: string | null;
  metadata?: Record<string, string>;
}

export type PolarOrder = ReturnType<typeof order>;
export function order({
  at,
  customer: buyer,
  subtotal,
  discount = 0,
  tax = 0,
  currency = 'usd',
  reason = 'purchase',
  status = 'paid',
  code = null,
  subscriptionId = null,
  metadata = {},
}: NewOrder) {
  const net = subtotal - discount;
  return {
    id: randomUUID(),
    created_at: at,
    modified_at: null as string | null,
    status,
    paid: status === 'paid',
    subtotal_amount: subtotal,
    discount_amount: discount,
    net_amount: net,
    tax_amount: tax,
    total_amount: net + tax,
    applied_balance_amount: 0,
    due_amount: net + tax,
    refunded_amount: 0,
    refunded_tax_amount: 0,
    currency,
    billing_reason: reason,
    billing_name: null,
    billing_address: null,
    invoice_number: null,
    is_invoice_generated: false,
    receipt_number: null,
    units: null,
    customer_id: buyer.id,
    product_id: 'prod_1',
    discount_id: code === null ? null : 'disc_1',
    subscription_id: subscriptionId,
    checkout_id: null,
    metadata,
    platform_fee_amount: 0,
    platform_fee_currency: null,
    customer: buyer,
    product: {
      metadata: {},
      id: 'prod_1',
      created_at: at,
      modified_at: null,
      trial_interval: null,
      trial_interval_count: null,
      name: 'Pro',
      description: null,
      visibility: 'public',
      recurring_interval: null,
      recurring_interval_count: null,
      meter_interval: null,
      meter_interval_count: null,
      is_recurring: false,
      is_archived: false,
      organization_id: 'org_1',
    },
    discount: code === null ? null : discountOf(code, at),
    subscription: null,
    items: [
      {
        created_at: at,
        modified_at: null,
        id: randomUUID(),
        label: 'Pro',
        amount: subtotal,
        tax_amount: tax,
        proration: false,
        product_price_id: 'price_1',
        start_timestamp: null,
        end_timestamp: null,
      },
    ],
    description: 'Pro',
    refundable_amount: net,
    refundable_tax_amount: tax,
  };
}

function discountOf(code: string, at: string) {
  return {
    duration: 'once',
    type: 'percentage',
    basis_points: 1_000,
    created_at: at,
    modified_at: null,
    id: 'disc_1',
    metadata: {},
    name: code,
    code,
    starts_at: null,
    ends_at: null,
    max_redemptions: null,
    max_redemptions_per_customer: null,
    redemptions_count: 0,
    organization_id: 'org_1',
  };
}

export type PolarDispute = ReturnType<typeof dispute>;
export function dispute(of: PolarOrder, at: string, status: string, amount = of.net_amount, tax = of.tax_amount) {
  return {
    created_at: at,
    modified_at: null as string | null,
    id: randomUUID(),
    status,
    resolved: false,
    closed: false,
    amount,
    tax_amount: tax,
    currency: of.currency,
    reason: null,
    evidence_due_by: null,
    past_due: false,
    order_id: of.id,
    payment_id: randomUUID(),
  };
}

export type PolarRefund = ReturnType<typeof refund>;
export function refund(
  of: PolarOrder,
  at: string,
  status: string,
  amount: number,
  tax = 0,
  disputed: PolarDispute | null = null,
) {
  return {
    created_at: at,
    modified_at: null as string | null,
    id: randomUUID(),
    metadata: {},
    status,
    reason: 'customer_request',
    amount,
    tax_amount: tax,
    currency: of.currency,
    organization_id: 'org_1',
    order_id: of.id,
    subscription_id: of.subscription_id,
    customer_id: of.customer_id,
    revoke_benefits: false,
    dispute: disputed,
  };
}

/** The fields of a subscription that its notifications have. */
export function subscription(buyer: PolarCustomer, at: string, trialEnd: string | null, metadata: Record<string, string>) {
  return {
    id: randomUUID(),
    created_at: at,
    modified_at: null,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_start: trialEnd && at,
    trial_end: trialEnd,
    customer_id: buyer.id,
    product_id: 'prod_1',
    customer: buyer,
    metadata,
  };
}

export type PolarProduct = ReturnType<typeof product>;
/** A product with a fixed price, or one that the customer chooses (null). */
export function product(name: string, at: string, of: { amount: number | null; currency?: string; isMonthly?: boolean }) {
  const { amount, currency = 'usd', isMonthly = false } = of;
  const changed = { created_at: at, modified_at: null };
  const common = { ...changed, source: 'catalog', price_currency: currency, tax_behavior: null, is_archived: false };
  const priced = { ...common, id: `price_${name}`, product_id: `product_${name}` };
  return {
    ...changed,
    id: `product_${name}`,
    name,
    description: null,
    visibility: 'public',
    trial_interval: null,
    trial_interval_count: null,
    recurring_interval: isMonthly ? 'month' : null,
    recurring_interval_count: isMonthly ? 1 : null,
    meter_interval: null,
    meter_interval_count: null,
    is_recurring: isMonthly,
    is_archived: false,
    is_deletable: true,
    organization_id: 'org_1',
    metadata: {},
    prices: [
      amount === null
        ? { ...priced, amount_type: 'custom', minimum_amount: 100, maximum_amount: null, preset_amount: null }
        : { ...priced, amount_type: 'fixed', price_amount: amount },
    ],
    benefits: [],
    medias: [],
    attached_custom_fields: [],
  };
}
