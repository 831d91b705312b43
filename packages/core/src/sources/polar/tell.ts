/** Pure: an order with its refunds and disputes as a snapshot of a payment. */
import { readCustomData } from '../port/custom-data.ts';
import { toMinorUnits } from '../port/minor-units.ts';
import type { ProviderMode } from '../port/port.ts';
import type { DisputeSeen, Payer, PayerSeen, PaymentSeen, RefundSeen, SubscriptionSeen } from '../port/seen.ts';
import type { Customer, Dispute, Order, Refund, Subscription } from './objects.ts';

export const POLAR = 'polar';

interface Told {
  connectionId: string;
  mode: ProviderMode;
}

/** An order with all that belongs to it. */
export interface WholeOrder {
  order: Order;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
}

/** Currencies without decimals at Polar. All others have two there. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));

/** Converts an amount of Polar to the ISO 4217 minor unit of its currency. */
export function minorUnitsAtPolar(amount: number, currency: string): number {
  return toMinorUnits(amount, currency, WITHOUT_DECIMALS.has(currency) ? 0 : 2);
}

const told = ({ connectionId, mode }: Told) => ({ source: POLAR, connectionId, mode }) as const;

/** Returns what an order says of its payment and payer. */
export function orderSeen(of: Told, { order, refunds, disputes }: WholeOrder): (PaymentSeen | PayerSeen)[] {
  const { id, currency, paid, customer, customer_id, metadata, subscription_id, created_at: at, billing_reason } = order;
  const minor = (amount: number) => minorUnitsAtPolar(Math.max(0, amount), currency);
  const money = (amount: number) => ({ amount: minor(amount), currency });
  const { referrals, excluded, externalId } = readCustomData(metadata);
  const payer = customer ? payerOf(customer, externalId) : { ids: [customer_id], externalId, email: null, name: null };
  // Polar copies the metadata of a checkout to the subscription and from there to its renewals, which are not visits.
  const isCheckout = billing_reason === 'purchase' || billing_reason === 'subscription_create';
  const place = isCheckout ? 'checkout' : 'renewal';
  const payment: PaymentSeen = {
    kind: 'payment',
    ...told(of),
    names: [`order:${id}`],
    group: null,
    payer,
    charged: paid ? { amount: money(order.total_amount), tax: money(order.tax_amount), at } : null,
    lines: linesOf(order, minor),
    references: referrals.map((value) => ({ value, place, ofPayment: true, at })),
    codes: order.discount?.code ? [{ id: null, text: order.discount.code, at: null }] : [],
    way: isCheckout ? 'checkout' : 'subscription',
    excluded,
    paidOutside: false,
    refunds: refunds.map((refund): RefundSeen => refundOf(refund, minor, currency)),
    disputes: disputes.map((dispute): DisputeSeen => disputeOf(dispute, refunds, minor)),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    description: null,
    version: [order, ...refunds, ...disputes].map(changedAt).reduce((last, time) => (time > last ? time : last)),
  };
  if (!paid || !isCheckout || referrals.length === 0) return [payment];
  return [{ ...payerSeen(of, payer, at), place: 'checkout', references: claims(referrals, at) }, payment];
}

function changedAt({ created_at, modified_at }: { created_at: string; modified_at: string | null }): string {
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

function payerOf({ id, external_id, email, name }: Customer, otherId: string | null = null): Payer {
  return { ids: [id], externalId: external_id ?? otherId, email, name };
}

function payerSeen(of: Told, payer: Payer, at: string): PayerSeen {
  const nothing = { formerEmail: null, references: [], redemptions: [], exclusion: null };
  return { kind: 'payer', ...told(of), place: 'record', payer, ...nothing, at };
}

function claims(referrals: readonly string[], at: string): PayerSeen['references'] {
  return referrals.map((value) => ({ value, place: 'checkout', from: null, at }));
}

/** Returns what the record of a customer says. */
export function customerSeen(of: Told, customer: Customer, at: string): PayerSeen[] {
  return [payerSeen(of, payerOf(customer), at)];
}

/** Returns what a subscription says: its trial, and who sent its customer. */
export function subscriptionSeen(of: Told, subscription: Subscription, at: string): (PayerSeen | SubscriptionSeen)[] {
  const { id, status, trial_end, customer_id, customer, metadata, created_at } = subscription;
  const { referrals, externalId } = readCustomData(metadata);
  const payer = customer ? payerOf(customer, externalId) : { ids: [customer_id], externalId, email: null, name: null };
  const trialUntil = status === 'trialing' ? trial_end : null;
  const trial: SubscriptionSeen = { kind: 'subscription', ...told(of), payer, id, trialUntil, at };
  if (referrals.length === 0) return [trial];
  return [{ ...payerSeen(of, payer, created_at), place: 'checkout', references: claims(referrals, created_at) }, trial];
}
