/** Pure: an order with its refunds and disputes as a snapshot of a payment. */
import { readCustomData } from '../port/custom-data.ts';
import { toMinorUnits } from '../port/provider-values.ts';
import type { DisputeSeen, Payer, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { type Origin, recordSeen, subscriptionTold, wholePayment } from '../port/whole-payment.ts';
import type { Customer, Dispute, Order, Refund, Subscription, WholeOrder } from './read.ts';

export const POLAR = 'polar';

/** Currencies without decimals at Polar. All others have two there. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));

/** Converts an amount of Polar to the ISO 4217 minor unit of its currency. */
export function minorUnitsAtPolar(amount: number, currency: string): number {
  return toMinorUnits(amount, currency, WITHOUT_DECIMALS.has(currency) ? 0 : 2);
}

/** Returns what an order says of its payment and payer. */
export function orderSeen(told: Origin, { order, refunds, disputes }: WholeOrder): Seen[] {
  const { id, currency, paid, metadata, subscription_id, created_at: at, billing_reason } = order;
  const minor = (amount: number) => minorUnitsAtPolar(Math.max(0, amount), currency);
  const money = (amount: number) => ({ amount: minor(amount), currency });
  const { referrals, excluded, externalId } = readCustomData(metadata);
  return wholePayment({
    ...told,
    names: [`order:${id}`],
    payer: payerOf(order, externalId),
    charged: paid ? { amount: money(order.total_amount), tax: money(order.tax_amount), at } : null,
    lines: linesOf(order, minor),
    referrals,
    saidAt: at,
    isRenewal: billing_reason !== 'purchase' && billing_reason !== 'subscription_create',
    codes: [order.discount?.code ?? null],
    excluded,
    refunds: refunds.map((refund) => refundOf(refund, minor, currency)),
    disputes: disputes.map((dispute) => disputeOf(dispute, refunds, minor)),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    version: [order, ...refunds, ...disputes].map(changedAt).reduce((last, time) => (time > last ? time : last)),
  });
}

export function changedAt({ created_at, modified_at }: { created_at: string; modified_at: string | null }): string {
  return modified_at ?? created_at;
}

/** An order is for one product. Its discount is not split by its items, so that the order is one line. */
function linesOf(order: Order, minor: (amount: number) => number): PaymentSeen['lines'] {
  const { product_id, product, items, subscription, net_amount } = order;
  if (product_id === null) return [];
  return [
    {
      product: product_id,
      price: items[0]?.product_price_id ?? null,
      name: product?.name ?? null,
      interval: subscription?.recurring_interval ?? 'one_time',
      quantity: 1,
      amount_cents: minor(net_amount),
    },
  ];
}

/** The amount of a refund is without tax. */
function refundOf(refund: Refund, minor: (amount: number) => number, currency: string): RefundSeen {
  const { id, status, amount, tax_amount, created_at: at } = refund;
  const state = status === 'succeeded' ? 'done' : status === 'pending' ? 'waiting' : 'failed';
  const gross = minor(amount + tax_amount);
  return {
    id,
    amount: gross,
    at,
    state,
    failedAt: null,
    taxed: [{ amount: gross, tax: { amount: minor(tax_amount), currency } }],
    lines: [],
  };
}

/** A dispute that was prevented by a refund, or refunded when it was lost, takes nothing beside the refund. */
function disputeOf(dispute: Dispute, refunds: readonly Refund[], minor: (amount: number) => number): DisputeSeen {
  const { id, status, amount, tax_amount, created_at: at } = dispute;
  const isRefunded = refunds.some((refund) => refund.dispute?.id === id && refund.status === 'succeeded');
  const isLost = status === 'lost' && !isRefunded;
  const isOver = status === 'won' || status === 'prevented' || isRefunded;
  return { id, amount: minor(amount + tax_amount), at, outcome: isLost ? 'lost' : isOver ? 'won' : 'open' };
}

function payerOf({ customer, customer_id }: Pick<Order, 'customer' | 'customer_id'>, ownId: string | null): Payer {
  const { external_id = null, email = null, name = null } = customer ?? {};
  return { ids: [customer?.id ?? customer_id], externalId: external_id ?? ownId, email, name };
}

/** Returns what the record of a customer says. */
export function customerSeen(told: Origin, customer: Customer, at: string): Seen {
  return recordSeen(told, payerOf({ customer, customer_id: customer.id }, null), at);
}

/** Returns what a subscription says: its trial, and who sent its customer. */
export function subscriptionSeen(told: Origin, subscription: Subscription, at: string): Seen[] {
  const { id, status, trial_end, metadata, created_at } = subscription;
  const { referrals, externalId } = readCustomData(metadata);
  const trialUntil = status === 'trialing' ? trial_end : null;
  return subscriptionTold({ ...told, payer: payerOf(subscription, externalId), id, trialUntil, at }, referrals, created_at);
}
