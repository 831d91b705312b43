/** Pure: an order with its refunds as a snapshot of a payment. */
import { type CustomData, readCustomData, referralsInAddress } from '../port/custom-data.ts';
import type { ProviderMode } from '../port/port.ts';
import { decimalMinorUnits } from '../port/provider-values.ts';
import { type OrderRefund, refundsOfPart } from '../port/refunds-of-part.ts';
import type { Payer, RefundSeen, Seen } from '../port/seen.ts';
import { wholePayment } from '../port/whole-payment.ts';
import type { Order, Refund, WholeOrder } from './read.ts';

export const WOOCOMMERCE = 'woocommerce';

/** A paid order in this state waits, e.g. because its customer disputes the payment. */
const ON_HOLD = 'on-hold';
const CANCELLED = 'cancelled';
const BY_HAND = new Set(['admin', 'rest-api']);
const ATTRIBUTION = '_wc_order_attribution_';
const RENEWAL = '_subscription_renewal';

/**
 * Returns what an order says of its payment and payer.
 *
 * @param readAt time at which the order was read. The deletion of a refund does not change the time of its order
 */
export function orderSeen(connectionId: string, mode: ProviderMode, whole: WholeOrder, readAt: string): Seen[] {
  const { order, settings } = whole;
  const { id, currency, status, created_via, date_paid_gmt } = order;
  const at = date_paid_gmt ?? order.date_created_gmt;
  const renewed = metaOf(order, RENEWAL);
  const { referrals, externalId, excluded } = customDataOf(order);
  const { amount, tax, lines } = earning(whole);
  return wholePayment({
    source: WOOCOMMERCE,
    connectionId,
    mode,
    names: [`order:${id}`],
    payer: payerOf(order, externalId),
    charged: date_paid_gmt == null ? null : { amount: { amount, currency }, tax: { amount: tax, currency }, at },
    lines,
    referrals,
    saidAt: at,
    isRenewal: renewed !== null,
    codes: order.coupon_lines.map(({ code }) => code),
    excluded: excluded || (settings['manual_orders'] === 'exclude' && BY_HAND.has(created_via ?? '')),
    refunds: refundsOf(whole, amount),
    disputes: status === ON_HOLD ? [{ id: ON_HOLD, amount, at, outcome: 'open' }] : [],
    subscription: renewed === null ? null : { id: renewed, trialUntil: null },
    version: readAt,
  });
}

type Amounts = Pick<Order['fee_lines'][number], 'total' | 'total_tax'>;

/** Returns the lines that earn by the merchant's choices. A fee below zero is a discount. */
function counted({ settings }: WholeOrder, of: Pick<Order, 'line_items' | 'fee_lines' | 'shipping_lines'>) {
  const countsFees = settings['fees'] === 'count';
  const isDiscount = ({ total }: Amounts) => total.startsWith('-');
  return {
    goods: of.line_items,
    fees: (isReduced: boolean) => of.fee_lines.filter((fee) => countsFees || isDiscount(fee) !== isReduced),
    shipping: settings['shipping'] === 'count' ? of.shipping_lines : [],
  };
}

/** Returns the part of an order that earns, with its tax, and its lines without tax. */
function earning(whole: WholeOrder) {
  const { order } = whole;
  const minor = (text: string) => decimalMinorUnits(text, order.currency);
  const { goods, fees, shipping } = counted(whole, order);
  const all: readonly Amounts[] = [...goods, ...fees(false), ...shipping];
  const tax = Math.max(0, sum(all.map(({ total_tax }) => minor(total_tax))));
  const amount = Math.max(0, sum(all.map(({ total }) => minor(total)))) + tax;
  const interval = metaOf(order, RENEWAL) === null ? ('one_time' as const) : null;
  const lines = goods.map(({ product_id, variation_id, name, quantity, total }) => ({
    product: product_id,
    price: variation_id === '0' ? null : variation_id,
    name,
    interval,
    quantity: Math.max(1, Math.trunc(quantity)),
    amount_cents: minor(total),
  }));
  const ofNothing = { product: null, price: null, name: null, interval, quantity: 1 };
  const others = [...fees(false), ...shipping].map(({ total }) => ({ ...ofNothing, amount_cents: minor(total) }));
  return { amount, tax, lines: [...lines, ...others] };
}

/** Returns the refunds of the part that earns. What is left of a cancelled order counts as refunded. */
function refundsOf(whole: WholeOrder, earned: number): RefundSeen[] {
  const { order } = whole;
  const { currency } = order;
  const minor = (text: string) => decimalMinorUnits(text, currency);
  const refunds = whole.refunds.toSorted(byTime).map((refund): OrderRefund => {
    const { goods, fees, shipping } = counted(whole, refund);
    const own: readonly Amounts[] = [...goods, ...fees(true), ...shipping];
    const all: readonly Amounts[] = [...refund.line_items, ...refund.fee_lines, ...refund.shipping_lines];
    return {
      id: refund.id,
      at: refund.date_created_gmt,
      state: 'done',
      amount: minor(refund.amount),
      net: -sum(own.map(({ total }) => minor(total))),
      tax: -sum(own.map(({ total_tax }) => minor(total_tax))),
      named: -sum(all.map(({ total, total_tax }) => minor(total) + minor(total_tax))),
      products: goods.map((line) => ({ product: line.product_id, amount: Math.max(0, -minor(line.total)) })),
    };
  });
  const seen = refundsOfPart(refunds, { earned, total: minor(order.total), currency });
  const rest = earned - sum(seen.map(({ amount }) => amount));
  if (order.status !== CANCELLED || rest === 0) return seen;
  const at = order.date_modified_gmt;
  return [...seen, { id: CANCELLED, amount: rest, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}

function byTime(a: Refund, b: Refund): number {
  return a.date_created_gmt < b.date_created_gmt || (a.date_created_gmt === b.date_created_gmt && a.id < b.id) ? -1 : 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function metaOf({ meta_data }: Order, key: string): string | null {
  const value = meta_data.find((each) => each.key === key)?.value;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
}

/**
 * Returns what the checkout says: metadata and fields of the merchant, whose keys may have underscores or a namespace in front, or else what WooCommerce keeps
 * of the visit: a campaign whose source is `affiliate`, and the landing page.
 */
function customDataOf(order: Order): CustomData {
  const named = order.meta_data.map(({ key, value }) => [key.slice(key.lastIndexOf('/') + 1).replace(/^_+/, ''), value] as const);
  const custom = readCustomData(Object.fromEntries(named));
  if (custom.referrals.length > 0) return custom;
  const campaign = metaOf(order, `${ATTRIBUTION}utm_source`) === 'affiliate' ? metaOf(order, `${ATTRIBUTION}utm_campaign`) : null;
  const landing = referralsInAddress(metaOf(order, `${ATTRIBUTION}session_entry`));
  const { referrals } = readCustomData({ referral: campaign });
  return { ...custom, referrals: [...new Set([...referrals, ...landing])] };
}

function payerOf({ customer_id, billing }: Order, externalId: string | null): Payer {
  const name = [billing.first_name, billing.last_name].filter((part) => part !== null).join(' ');
  return { ids: customer_id === '0' ? [] : [customer_id], externalId, email: billing.email, name: name || null };
}
