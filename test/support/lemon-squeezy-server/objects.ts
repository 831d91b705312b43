/** Objects of Lemon Squeezy, with the fields that its published types require. */

let counter = 0;
function number(): number {
  counter += 1;
  return 1_000 + counter;
}

/** A time as Lemon Squeezy writes it, with microseconds. */
export function lemonTime(at: string): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}

export interface Buyer {
  id: number;
  email: string;
}

export function buyer(email: string): Buyer {
  return { id: number(), email };
}

/** An object of JSON:API. */
export interface Resource<Attributes> {
  type: string;
  id: string;
  attributes: Attributes;
}

function resource<Attributes extends object>(type: string, attributes: Attributes, id = number()): Resource<Attributes> {
  return { type, id: String(id), attributes };
}

export interface NewPayment {
  at: string;
  storeId: number;
  buyer: Buyer;
  /** Amount without tax and after the discount. */
  net: number;
  tax?: number;
  discount?: number;
  currency?: string;
  /** US dollars for one unit of the currency. */
  rate?: number;
  status?: string;
  isTest?: boolean;
}

function paid({ at, storeId, buyer: by, net, tax = 0, discount = 0, currency = 'USD', rate = 1, isTest = false }: NewPayment) {
  const amounts = { subtotal: net + discount, discount_total: discount, tax, total: net + tax, refunded_amount: 0 };
  const inDollars = Object.entries(amounts).map(([name, cents]) => [`${name}_usd`, Math.round(cents * rate)] as const);
  const formatted = Object.entries(amounts).map(([name, cents]) => [`${name}_formatted`, `$${cents / 100}`] as const);
  return {
    store_id: storeId,
    customer_id: by.id,
    user_name: 'Grace',
    user_email: by.email,
    currency,
    currency_rate: rate.toFixed(8),
    ...amounts,
    ...(Object.fromEntries(inDollars) as Record<`${keyof typeof amounts}_usd`, number>),
    ...(Object.fromEntries(formatted) as Record<`${keyof typeof amounts}_formatted`, string>),
    tax_inclusive: false,
    status_formatted: 'Paid',
    refunded: false,
    refunded_at: null as string | null,
    created_at: lemonTime(at),
    updated_at: lemonTime(at),
    test_mode: isTest,
  };
}

export type LemonOrder = ReturnType<typeof order>;
export function order(of: NewPayment) {
  const id = number();
  const { total, test_mode } = paid(of);
  const times = { created_at: lemonTime(of.at), updated_at: lemonTime(of.at) };
  const attributes = {
    ...paid(of),
    identifier: `104e18a2-d755-4d4b-80c4-${String(id).padStart(12, '0')}`,
    order_number: id,
    setup_fee: 0,
    setup_fee_usd: 0,
    setup_fee_formatted: '$0.00',
    tax_name: 'VAT' as string | null,
    tax_rate: '20.00',
    status: of.status ?? 'paid',
    first_order_item: {
      id,
      order_id: id,
      product_id: 7,
      variant_id: 8,
      price_id: 9,
      quantity: 1,
      product_name: 'Pro',
      variant_name: 'Default',
      price: total,
      ...times,
      test_mode,
    },
    urls: { receipt: 'https://app.lemonsqueezy.com/my-orders/x' },
  };
  return resource('orders', attributes, id);
}

export function orderItem({ id, attributes }: LemonOrder) {
  const { id: itemId, ...item } = attributes.first_order_item;
  return resource('order-items', { ...item, order_id: Number(id) }, itemId);
}

export type LemonRedemption = ReturnType<typeof redemption>;
export function redemption({ id, attributes }: LemonOrder, code: string) {
  const { created_at, updated_at, discount_total } = attributes;
  return resource('discount-redemptions', {
    discount_id: 5,
    order_id: Number(id),
    discount_name: code,
    discount_code: code,
    discount_amount: 10,
    discount_amount_type: 'percent',
    amount: discount_total,
    created_at,
    updated_at,
  });
}

export type LemonSubscription = ReturnType<typeof subscription>;
export function subscription(of: LemonOrder, trialEnd: string | null = null) {
  const id = number();
  const { store_id, customer_id, user_email, user_name, created_at, updated_at, test_mode } = of.attributes;
  const attributes = {
    store_id,
    customer_id,
    order_id: Number(of.id),
    order_item_id: of.attributes.first_order_item.id,
    product_id: 7,
    variant_id: 8,
    product_name: 'Pro',
    variant_name: 'Default',
    user_name,
    user_email,
    status: trialEnd === null ? 'active' : 'on_trial',
    status_formatted: 'Active',
    card_brand: 'visa',
    card_last_four: '4242',
    pause: null,
    cancelled: false,
    trial_ends_at: trialEnd && lemonTime(trialEnd),
    billing_anchor: 12,
    first_subscription_item: {
      id,
      subscription_id: id,
      price_id: 9,
      quantity: 1,
      is_usage_based: false,
      created_at,
      updated_at,
    },
    urls: { update_payment_method: 'x', customer_portal: 'x', customer_portal_update_subscription: 'x' },
    renews_at: updated_at,
    ends_at: null,
    created_at,
    updated_at,
    test_mode,
  };
  return resource('subscriptions', attributes, id);
}

export type LemonInvoice = ReturnType<typeof invoice>;
export function invoice(of: LemonSubscription, reason: string, payment: NewPayment) {
  return resource('subscription-invoices', {
    ...paid(payment),
    subscription_id: Number(of.id),
    billing_reason: reason,
    card_brand: 'visa',
    card_last_four: '4242',
    status: payment.status ?? 'paid',
    urls: { invoice_url: 'https://app.lemonsqueezy.com/my-orders/x' },
  });
}

/** Refunds a part of a payment, as a sum of all of its refunds. */
export function refund({ attributes }: LemonOrder | LemonInvoice, at: string, amount: number): void {
  const { total, total_usd } = attributes;
  const isWhole = amount === total;
  Object.assign(attributes, {
    refunded: isWhole,
    status: isWhole ? 'refunded' : 'partial_refund',
    refunded_amount: amount,
    refunded_amount_usd: Math.round((amount * total_usd) / total),
    refunded_at: lemonTime(at),
    updated_at: lemonTime(at),
  });
}
