/** Pure: a transaction with its adjustments as a snapshot of a payment. */
import { readCustomData } from '../port/custom-data.ts';
import type { DisputeSeen, Payer, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { type Origin, recordSeen, subscriptionTold, wholePayment } from '../port/whole-payment.ts';
import type { Adjustment, Customer, Subscription, Transaction } from './read.ts';

export const PADDLE = 'paddle';

/** Returns what a transaction says of its payment and payer. Nothing was charged before Paddle has completed it. */
export function transactionSeen(told: Origin, transaction: Transaction): Seen[] {
  const { id, status, currency_code: currency, custom_data, subscription_id, created_at, details } = transaction;
  const { referrals, excluded } = readCustomData(custom_data);
  const adjustments = transaction.adjustments ?? [];
  const money = (amount: number) => ({ amount: Math.max(0, amount), currency });
  const totals = status === 'completed' ? (details?.totals ?? null) : null;
  const paidAt = transaction.payments.find((payment) => payment.status === 'captured' && payment.captured_at)?.captured_at;
  return wholePayment({
    ...told,
    names: [`transaction:${id}`],
    payer: payerOf(transaction),
    charged: totals && {
      amount: money(totals.total),
      tax: money(totals.tax),
      at: paidAt ?? transaction.billed_at ?? created_at,
    },
    lines: linesOf(transaction),
    referrals,
    saidAt: created_at,
    isRenewal: transaction.origin?.startsWith('subscription_') === true,
    codes: [transaction.discount?.code ?? null],
    excluded,
    refunds: adjustments.flatMap((adjustment) => refundOf(transaction, adjustment, currency)),
    disputes: disputesOf(adjustments),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    version: versionOf(transaction),
  });
}

/** Returns the time of the last change. A change of an adjustment does not change the transaction. */
function versionOf({ updated_at, adjustments }: Transaction): string {
  return [updated_at, ...(adjustments ?? []).map((each) => each.updated_at ?? each.created_at)].reduce((last, at) =>
    at > last ? at : last,
  );
}

function payerOf({ customer_id, custom_data, customer }: Transaction): Payer {
  const { externalId } = readCustomData(custom_data);
  const { email = null, name = null } = customer ?? {};
  return { ids: customer_id === null ? [] : [customer_id], externalId, email, name };
}

function linesOf({ details, items }: Transaction): PaymentSeen['lines'] {
  return (details?.line_items ?? []).flatMap(({ price_id, quantity, totals, product }) => {
    if (!totals) return [];
    const price = items.find((item) => item.price?.id === price_id)?.price;
    return [
      {
        product: product?.id ?? null,
        price: price_id,
        name: product?.name ?? null,
        interval: price ? (price.billing_cycle?.interval ?? 'one_time') : null,
        quantity: Math.max(1, Math.trunc(quantity)),
        amount_cents: totals.subtotal - totals.discount,
      },
    ];
  });
}

/** A refund that Paddle rejects was never paid. One that turns `reversed` had been. */
const REFUND_STATES: Readonly<Record<string, RefundSeen['state']>> = {
  pending_approval: 'waiting',
  approved: 'done',
  rejected: 'failed',
  reversed: 'failed',
};

function refundOf({ details }: Transaction, adjustment: Adjustment, currency: string): RefundSeen[] {
  const { id, action, status, totals, items, created_at: at, updated_at } = adjustment;
  const state = REFUND_STATES[status];
  if (action !== 'refund' || !totals || state === undefined) return [];
  const lines = items.flatMap(({ item_id, totals: taken }) => {
    const sold = details?.line_items.find((line) => line.id === item_id);
    return sold && taken && taken.subtotal >= 0 ? [{ product: sold.product?.id ?? null, amount: taken.subtotal }] : [];
  });
  const amount = Math.abs(totals.total);
  return [
    {
      id,
      amount,
      at,
      state,
      failedAt: status === 'reversed' ? (updated_at ?? at) : null,
      taxed: [{ amount, tax: { amount: Math.abs(totals.tax), currency } }],
      lines: lines.length === items.length ? lines : [],
    },
  ];
}

/**
 * A warning is an open dispute. A chargeback has taken the money, until it is reversed: it then turns `reversed`, and has an adjustment of its own, of
 * which either may become known first.
 */
function disputesOf(adjustments: readonly Adjustment[]): DisputeSeen[] {
  const of = (action: string) =>
    adjustments.filter((each) => each.action === action && each.status !== 'rejected' && each.totals).toSorted(byTime);
  const ended = (action: string) => of(action).length;
  const seen = (action: string, taken: 'open' | 'lost') =>
    of(action).map(({ id, status, totals, created_at: at }, place): DisputeSeen => {
      const isWon = status === 'reversed' || place < ended(`${action}_reverse`);
      return { id, amount: Math.abs(totals!.total), at, outcome: isWon ? 'won' : taken };
    });
  const chargebacks = seen('chargeback', 'lost');
  // The chargeback has taken the place of its warning.
  return chargebacks.length > 0 ? chargebacks : seen('chargeback_warning', 'open');
}

function byTime(a: Adjustment, b: Adjustment): number {
  return a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1;
}

/** Returns what the record of a customer says. */
export function customerSeen(told: Origin, { id, email, name, custom_data }: Customer, at: string): Seen {
  const { externalId } = readCustomData(custom_data);
  return recordSeen(told, { ids: [id], externalId, email, name }, at);
}

/** Returns what a subscription says: its trial, and who sent its customer. */
export function subscriptionSeen(told: Origin, subscription: Subscription, at: string): Seen[] {
  const { id, status, customer_id, custom_data, items, created_at } = subscription;
  const { referrals, externalId } = readCustomData(custom_data);
  const payer: Payer = { ids: [customer_id], externalId, email: null, name: null };
  const ends = status === 'trialing' ? items.flatMap(({ trial_dates }) => trial_dates?.ends_at ?? []).toSorted() : [];
  return subscriptionTold({ ...told, payer, id, trialUntil: ends.at(-1) ?? null, at }, referrals, created_at);
}
