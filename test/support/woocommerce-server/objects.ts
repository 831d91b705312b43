/** Objects of WooCommerce, with the fields of its published REST schema. Amounts are decimal texts, and times in GMT have no zone. */

let counter = 0;
function wooId(): number {
  counter += 1;
  return 1_000 + counter;
}

/** Returns a time as WooCommerce writes times in GMT. */
export function gmt(at: string): string {
  return at.slice(0, 19);
}

export interface Buyer {
  /** 0 for a guest. */
  id: number;
  email: string;
}

interface Item {
  net: string;
  tax?: string;
  name?: string;
}

export interface NewOrder {
  at: string;
  buyer: Buyer;
  items: (Item & { product?: number; variation?: number })[];
  shipping?: Item[];
  fees?: Item[];
  total: string;
  totalTax?: string;
  currency?: string;
  status?: string;
  isPaid?: boolean;
  createdVia?: string;
  coupons?: string[];
  meta?: Record<string, unknown>;
}

const address = {
  first_name: 'Grace',
  last_name: 'Hopper',
  company: '',
  address_1: '',
  address_2: '',
  city: '',
  state: '',
  postcode: '',
  country: 'US',
  phone: '',
};

const amounts = ({ net, tax = '0.00' }: Item) => ({ total: net, total_tax: tax });
const shippingOf = (item: Item) => ({
  id: wooId(),
  method_title: item.name ?? 'Flat rate',
  method_id: 'flat_rate',
  instance_id: '1',
  ...amounts(item),
  taxes: [],
  tax_status: 'taxable',
  meta_data: [],
});
const feeOf = (item: Item) => ({
  id: wooId(),
  name: item.name ?? 'Fee',
  tax_class: '',
  tax_status: 'taxable',
  amount: item.net,
  ...amounts(item),
  taxes: [],
  meta_data: [],
});
const itemOf = (item: Item & { product?: number; variation?: number }, quantity = 1) => ({
  id: wooId(),
  name: item.name ?? 'Pro',
  product_id: item.product ?? 11,
  variation_id: item.variation ?? 0,
  quantity,
  tax_class: '',
  subtotal: item.net,
  subtotal_tax: item.tax ?? '0.00',
  ...amounts(item),
  taxes: [],
  meta_data: [],
  sku: '',
  price: Number(item.net),
});

export type WooOrder = ReturnType<typeof order>;
export function order(of: NewOrder) {
  const { at, buyer, items, shipping = [], fees = [], total, totalTax = '0.00', currency = 'USD', isPaid = true } = of;
  const { status = isPaid ? 'processing' : 'pending', createdVia = 'checkout', coupons = [], meta = {} } = of;
  const id = wooId();
  return {
    id,
    parent_id: 0,
    number: String(id),
    order_key: `wc_order_${id}`,
    created_via: createdVia,
    version: '11.0.0',
    status,
    currency,
    date_created: gmt(at),
    date_created_gmt: gmt(at),
    date_modified: gmt(at),
    date_modified_gmt: gmt(at),
    discount_total: '0.00',
    discount_tax: '0.00',
    shipping_total: shipping[0]?.net ?? '0.00',
    shipping_tax: shipping[0]?.tax ?? '0.00',
    cart_tax: totalTax,
    total,
    total_tax: totalTax,
    prices_include_tax: false,
    customer_id: buyer.id,
    customer_ip_address: '192.0.2.1',
    customer_user_agent: '',
    customer_note: '',
    billing: { ...address, email: buyer.email },
    shipping: address,
    payment_method: 'stripe',
    payment_method_title: 'Card',
    transaction_id: '',
    date_paid: isPaid ? gmt(at) : null,
    date_paid_gmt: isPaid ? gmt(at) : null,
    date_completed: null,
    date_completed_gmt: null,
    cart_hash: '',
    meta_data: Object.entries(meta).map(([key, value]) => ({ id: wooId(), key, value })),
    line_items: items.map((item) => itemOf(item)),
    tax_lines: [],
    shipping_lines: shipping.map(shippingOf),
    fee_lines: fees.map(feeOf),
    coupon_lines: coupons.map((code) => ({ id: wooId(), code, discount: '1.00', discount_tax: '0.00', meta_data: [] })),
    refunds: [] as { id: number; reason: string; total: string }[],
  };
}

export interface NewRefund {
  at: string;
  amount: string;
  items?: (Item & { product?: number })[];
  shipping?: Item[];
  fees?: Item[];
}

/** Makes a refund, and adds it to its order. Amounts of lines are below zero. */
export type WooRefund = ReturnType<typeof refund>;
export function refund(of: WooOrder, { at, amount, items = [], shipping = [], fees = [] }: NewRefund) {
  const made = {
    id: wooId(),
    date_created: gmt(at),
    date_created_gmt: gmt(at),
    amount,
    reason: '',
    refunded_by: 1,
    refunded_payment: true,
    meta_data: [],
    line_items: items.map((item) => itemOf(item, -1)),
    shipping_lines: shipping.map(shippingOf),
    tax_lines: [],
    fee_lines: fees.map(feeOf),
  };
  of.refunds.push({ id: made.id, reason: '', total: `-${amount}` });
  of.date_modified_gmt = gmt(at);
  return made;
}
