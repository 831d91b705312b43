/** Objects of Paddle, with the fields that its published types require. */

let counter = 0;
/** Returns an id in the order of the calls. */
export function paddleId(prefix: string): string {
  counter += 1;
  return `${prefix}_${String(counter).padStart(26, '0')}`;
}

export interface PaddleLine {
  product: string;
  /** Before discount and tax. Negative for a line that takes an earlier charge back. */
  subtotal: number;
  discount?: number;
  tax?: number;
  interval?: 'month' | 'year' | null;
}

export interface NewTransaction {
  at: string;
  lines: readonly PaddleLine[];
  currency?: string;
  origin?: string;
  status?: string;
  customerId?: string | null;
  discountId?: string | null;
  subscriptionId?: string | null;
  customData?: Record<string, unknown> | null;
}

const sum = (lines: readonly PaddleLine[], of: (line: PaddleLine) => number) =>
  lines.reduce((total, line) => total + of(line), 0);
const totalsOf = (lines: readonly PaddleLine[]) => {
  const [subtotal, discount, tax] = [
    sum(lines, (l) => l.subtotal),
    sum(lines, (l) => l.discount ?? 0),
    sum(lines, (l) => l.tax ?? 0),
  ];
  return { subtotal: `${subtotal}`, discount: `${discount}`, tax: `${tax}`, total: `${subtotal - discount + tax}` };
};

export type PaddleTransaction = ReturnType<typeof transaction>;
export function transaction({
  at,
  lines,
  currency = 'USD',
  origin = 'web',
  status = 'completed',
  customerId = null,
  discountId = null,
  subscriptionId = null,
  customData = null,
}: NewTransaction) {
  const totals = totalsOf(lines);
  const sold = lines.map((line) => ({ line, price_id: `pri_${line.product}`, product: product(line.product, at) }));
  const isFree = totals.total === '0';
  return {
    id: paddleId('txn'),
    status,
    customer_id: customerId,
    address_id: null,
    business_id: null,
    custom_data: customData,
    currency_code: currency,
    origin,
    subscription_id: subscriptionId,
    invoice_id: null,
    invoice_number: null,
    collection_mode: 'automatic',
    discount_id: discountId,
    billing_details: null,
    billing_period: null,
    items: sold.map(({ line, price_id, product: { id } }) => ({
      price_id,
      price: price(price_id, id, line.interval ?? null, currency, at),
      quantity: 1,
      proration: null,
    })),
    details: {
      tax_rates_used: [],
      totals: {
        ...totals,
        credit: '0',
        credit_to_balance: '0',
        balance: '0',
        grand_total: totals.total,
        grand_total_tax: totals.tax,
        fee: null,
        earnings: null,
        currency_code: currency,
      },
      adjusted_totals: null,
      payout_totals: null,
      adjusted_payout_totals: null,
      line_items: sold.map(({ line, price_id, product: sold_product }) => ({
        id: paddleId('txnitm'),
        price_id,
        quantity: 1,
        proration: null,
        tax_rate: '0.2',
        unit_totals: totalsOf([line]),
        totals: totalsOf([line]),
        product: sold_product,
      })),
    },
    payments: isFree
      ? []
      : [
          {
            payment_attempt_id: paddleId('pay'),
            stored_payment_method_id: 'paymtd_1',
            payment_method_id: null,
            amount: totals.total,
            status: 'captured',
            error_code: null,
            method_details: null,
            created_at: at,
            captured_at: at,
          },
        ],
    checkout: null,
    created_at: at,
    updated_at: at,
    billed_at: at,
    revised_at: null,
  };
}

export function product(name: string, at: string) {
  return {
    id: `pro_${name}`,
    name,
    type: 'standard',
    description: null,
    tax_category: 'standard',
    image_url: null,
    custom_data: null,
    status: 'active',
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
}

export type PaddlePrice = ReturnType<typeof price>;
export function price(id: string, product_id: string, interval: 'month' | 'year' | null, currency: string, at: string) {
  return {
    id,
    product_id,
    description: id,
    type: 'standard',
    name: null as string | null,
    billing_cycle: interval && { interval, frequency: 1 },
    trial_period: null,
    tax_mode: 'account_setting',
    unit_price: { amount: '100', currency_code: currency },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    status: 'active',
    created_at: at,
    updated_at: at,
    custom_data: null,
    import_meta: null,
  };
}

export type PaddleCustomer = ReturnType<typeof customer>;
export function customer(email: string, at: string, name: string | null = null) {
  return {
    id: paddleId('ctm'),
    name,
    email,
    marketing_consent: false,
    status: 'active',
    custom_data: null,
    locale: 'en',
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
}

export type PaddleDiscount = ReturnType<typeof discount>;
export function discount(code: string, at: string) {
  return {
    id: paddleId('dsc'),
    status: 'active',
    description: code,
    enabled_for_checkout: true,
    code,
    mode: 'standard',
    type: 'percentage',
    amount: '10',
    currency_code: null,
    recur: false,
    maximum_recurring_intervals: null,
    usage_limit: null,
    restrict_to: null,
    expires_at: null,
    custom_data: null,
    times_used: 0,
    created_at: at,
    updated_at: at,
    import_meta: null,
    discount_group_id: null,
    discount_group: null,
  };
}

export interface NewAdjustment {
  at: string;
  action: string;
  status?: string;
  /** Amounts without tax and taxes, by the position of the line. */
  lines: readonly { line: number; subtotal: number; tax?: number }[];
}

export type PaddleAdjustment = ReturnType<typeof adjustment>;
export function adjustment(of: PaddleTransaction, { at, action, status = 'approved', lines }: NewAdjustment) {
  const totals = (subtotal: number, tax: number) => ({ subtotal: `${subtotal}`, tax: `${tax}`, total: `${subtotal + tax}` });
  const subtotal = lines.reduce((total, line) => total + line.subtotal, 0);
  const tax = lines.reduce((total, line) => total + (line.tax ?? 0), 0);
  return {
    id: paddleId('adj'),
    action,
    type: 'partial',
    transaction_id: of.id,
    subscription_id: of.subscription_id,
    customer_id: of.customer_id ?? 'ctm_unknown',
    reason: 'asked for',
    credit_applied_to_balance: false,
    currency_code: of.currency_code,
    status,
    items: lines.map((line) => ({
      id: paddleId('adjitm'),
      item_id: of.details.line_items[line.line]!.id,
      type: 'partial',
      amount: `${line.subtotal}`,
      proration: null,
      totals: totals(line.subtotal, line.tax ?? 0),
    })),
    totals: {
      ...totals(subtotal, tax),
      fee: '0',
      earnings: '0',
      retained_fee: '0',
      currency_code: of.currency_code,
    },
    payout_totals: null,
    created_at: at,
    updated_at: at,
  };
}

export interface NewSubscription {
  id: string;
  customerId: string;
  at: string;
  trialEnds: string | null;
  customData?: Record<string, unknown> | null;
}

export function subscription({ id, customerId, at, trialEnds, customData = null }: NewSubscription) {
  const sold = product('pro', at);
  return {
    id,
    status: trialEnds === null ? 'active' : 'trialing',
    customer_id: customerId,
    address_id: 'add_1',
    business_id: null,
    currency_code: 'USD',
    created_at: at,
    updated_at: at,
    started_at: at,
    first_billed_at: null,
    next_billed_at: trialEnds,
    paused_at: null,
    canceled_at: null,
    discount: null,
    collection_mode: 'automatic',
    billing_details: null,
    current_billing_period: null,
    billing_cycle: { interval: 'month', frequency: 1 },
    scheduled_change: null,
    management_urls: null,
    items: [
      {
        status: trialEnds === null ? 'active' : 'trialing',
        quantity: 1,
        recurring: true,
        created_at: at,
        updated_at: at,
        previously_billed_at: null,
        next_billed_at: trialEnds,
        trial_dates: trialEnds === null ? null : { starts_at: at, ends_at: trialEnds },
        price: price('pri_pro', sold.id, 'month', 'USD', at),
        product: sold,
      },
    ],
    custom_data: customData,
    import_meta: null,
  };
}

/** An API key. Its text, of which Paddle shows the beginning, contains the id. */
export function apiKey(key: string, { at, expiresAt }: { at: string; expiresAt: string }) {
  return {
    id: /apikey_[a-z0-9]{26}/.exec(key)![0],
    name: 'Affiliate program',
    description: null,
    key: `${key.slice(0, 46)}****`,
    status: 'active',
    permissions: ['transaction.read'],
    expires_at: expiresAt,
    rotatable: null,
    last_used_at: null,
    created_at: at,
    updated_at: at,
  };
}
