/** Pure: an order with the invoices of its subscription as snapshots of payments. */
import { minorUnitDigits } from '../../platform/money/money.ts';
import type { CustomData } from '../port/custom-data.ts';
import type { ProviderMode } from '../port/port.ts';
import type { RefundSeen, Seen } from '../port/seen.ts';
import { wholePayment } from '../port/whole-payment.ts';
import type { Invoice, Order, WholePayment } from './read.ts';

export const LEMON_SQUEEZY = 'lemon_squeezy';

interface Told {
  connectionId: string;
  mode: ProviderMode;
  /** Time at which the payment was read. Not every change is sure to move the time of its object. */
  readAt: string;
}

const PAID = new Set(['paid', 'refunded', 'partial_refund', 'fraudulent']);

/** Returns what a payment says of its payer and itself. */
export function paymentsSeen(told: Told, whole: WholePayment, custom: CustomData): Seen[] {
  const { order, invoices } = whole;
  const later = invoices
    .filter((invoice) => !isPartOf(invoice, order))
    .flatMap((invoice) => invoiceSeen(told, invoice, whole, custom));
  return order === null ? later : [...orderSeen(told, order, whole, custom), ...later];
}

/**
 * The first invoice of a subscription is the payment of its order again. After a free trial, it is a payment of its own: the order was free.
 */
function isPartOf({ billing_reason, total }: Invoice, order: Order | null): boolean {
  return order !== null && billing_reason === 'initial' && (order.total > 0 || total === 0);
}

function orderSeen(told: Told, order: Order, whole: WholePayment, custom: CustomData): Seen[] {
  const { subscription, items, codes } = whole;
  const same = whole.invoices.filter((invoice) => isPartOf(invoice, order));
  const [item, ...more] = items;
  const product = item && more.length === 0 && { product: item.product_id, price: item.price_id, name: item.product_name };
  const interval = subscription === null ? ('one_time' as const) : null;
  const payment = seen(told, [order, ...same], custom);
  const trialUntil = subscription?.status === 'on_trial' ? subscription.trial_ends_at : null;
  return wholePayment({
    ...payment,
    names: [`order:${order.id}`, ...same.map((invoice) => `subinv:${invoice.id}`)],
    lines: product ? [{ ...product, interval, quantity: Math.max(1, item.quantity), amount_cents: net(payment) }] : [],
    isRenewal: false,
    codes,
    subscription: subscription && { id: subscription.id, trialUntil },
  });
}

/** A renewal keeps the custom data of its checkout. */
function invoiceSeen(told: Told, invoice: Invoice, { subscription }: WholePayment, custom: CustomData): Seen[] {
  const payment = seen(told, [invoice], custom);
  const quantity = Math.max(1, subscription?.first_subscription_item?.quantity ?? 1);
  const price = subscription?.first_subscription_item?.price_id ?? null;
  const line = { price, interval: null, quantity, amount_cents: net(payment) };
  return wholePayment({
    ...payment,
    names: [`subinv:${invoice.id}`],
    lines: subscription ? [{ product: subscription.product_id, name: subscription.product_name, ...line }] : [],
    isRenewal: true,
    codes: [],
    subscription: { id: invoice.subscription_id, trialUntil: null },
  });
}

/** Returns what all of the records of a payment say. Its amounts are those of the first one. */
function seen(
  { connectionId, mode, readAt: version }: Told,
  records: readonly [Order | Invoice, ...Invoice[]],
  { referrals, externalId, excluded }: CustomData,
) {
  const [{ customer_id, user_email: email, user_name: name, created_at: at }] = records;
  const { total, tax, currency } = amountsOf(records[0]);
  const money = (amount: number) => ({ amount, currency });
  const isPaid = records.some(({ status }) => PAID.has(status));
  return {
    source: LEMON_SQUEEZY,
    connectionId,
    mode,
    payer: { ids: [customer_id], externalId, email, name },
    charged: isPaid ? { amount: money(total), tax: money(Math.min(tax, total)), at } : null,
    referrals,
    saidAt: at,
    excluded,
    refunds: refundsOf(records),
    disputes: [],
    version,
  };
}

function net({ charged }: ReturnType<typeof seen>): number {
  return charged === null ? 0 : charged.amount.amount - charged.tax.amount;
}

/** Lemon Squeezy’s unit of currencies without two decimals is unknown. Payments in them are told in US dollars. */
function amountsOf({ currency, ...of }: Order | Invoice) {
  if (minorUnitDigits(currency) === 2) return { currency, total: of.total, tax: of.tax, refunded: of.refunded_amount };
  return { currency: 'USD', total: of.total_usd, tax: of.tax_usd, refunded: of.refunded_amount_usd };
}

/**
 * All refunds of a payment are one sum. A refund of a first payment may be told with the order, with the invoice, or with both, so that the larger sum
 * counts.
 */
function refundsOf(records: readonly (Order | Invoice)[]): RefundSeen[] {
  const sums = records.map((record) => {
    const { total, refunded } = amountsOf(record);
    const isWhole = record.status === 'refunded' || record.refunded === true;
    const amount = refunded || (isWhole && record.status !== 'partial_refund' ? total : 0);
    return { amount: Math.min(amount, total), at: record.refunded_at ?? record.updated_at };
  });
  const { amount, at } = sums.reduce((most, each) => (each.amount > most.amount ? each : most));
  if (amount === 0) return [];
  return [{ id: 'refunded', amount, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}
