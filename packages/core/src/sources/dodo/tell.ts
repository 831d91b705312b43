/** Pure: a payment as Dodo knows it as a snapshot. */
import { minorUnitDigits, parseDecimalAmount } from '../../platform/money/money.ts';
import { readCustomData } from '../port/custom-data.ts';
import type { ProviderMode } from '../port/port.ts';
import type { DisputeSeen, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { wholePayment } from '../port/whole-payment.ts';
import type { Dispute, Payment, Refund } from './read.ts';

export const DODO = 'dodo';

/**
 * Returns what a payment says of its payer and itself.
 *
 * @param readAt time at which the payment was read, because changes of refunds and disputes have no time
 */
export function paymentSeen(connectionId: string, mode: ProviderMode, payment: Payment, readAt: string): Seen[] {
  const { payment_id, total_amount, tax, currency, customer, metadata, subscription_id, created_at: at } = payment;
  const { referrals, externalId, excluded } = readCustomData(metadata);
  const money = (amount: number) => ({ amount: Math.max(0, amount), currency });
  return wholePayment({
    source: DODO,
    connectionId,
    mode,
    names: [`payment:${payment_id}`],
    payer: { ids: [customer.customer_id], externalId, email: customer.email, name: customer.name },
    charged: payment.status === 'succeeded' ? { amount: money(total_amount), tax: money(tax ?? 0), at } : null,
    lines: linesOf(payment),
    referrals,
    saidAt: at,
    // A renewal has no checkout.
    isRenewal: subscription_id !== null && payment.checkout_session_id === null && payment.payment_link === null,
    codes: (payment.discounts ?? []).map(({ code }) => code),
    excluded,
    refunds: payment.refunds.map((refund) => refundOf(refund, payment)),
    disputes: payment.disputes.map((dispute) => disputeOf(dispute, currency)),
    subscription: subscription_id === null ? null : { id: subscription_id, trialUntil: null },
    version: readAt,
  });
}

/** Dodo states no amounts of products, so that only a single one is known. */
function linesOf({ product_cart, total_amount, tax }: Payment): PaymentSeen['lines'] {
  const [only, ...more] = product_cart ?? [];
  if (only === undefined || more.length > 0) return [];
  const line = { product: only.product_id, price: null, name: null, interval: null, quantity: Math.max(1, only.quantity) };
  return [{ ...line, amount_cents: Math.max(0, total_amount - (tax ?? 0)) }];
}

/** A refund without an amount is of the whole payment. */
function refundOf({ refund_id: id, status, amount, created_at: at }: Refund, { total_amount }: Payment): RefundSeen {
  const state = status === 'succeeded' ? 'done' : status === 'failed' ? 'failed' : 'waiting';
  return { id, amount: amount ?? total_amount, at, state, failedAt: null, taxed: [], lines: [] };
}

const OUTCOMES: Readonly<Record<string, DisputeSeen['outcome']>> = {
  dispute_opened: 'open',
  dispute_challenged: 'open',
  dispute_won: 'won',
  dispute_cancelled: 'won',
  dispute_lost: 'lost',
  dispute_accepted: 'lost',
  dispute_expired: 'lost',
};

function disputeOf({ dispute_id: id, dispute_status, amount, created_at: at }: Dispute, currency: string): DisputeSeen {
  return { id, amount: amountOf(amount, currency), at, outcome: OUTCOMES[dispute_status] ?? 'open' };
}

function amountOf(text: string, currency: string): number {
  if (!text.includes('.')) return Number(text);
  const [whole = '', fraction = ''] = text.split('.');
  return parseDecimalAmount(`${whole}.${fraction.slice(0, minorUnitDigits(currency)) || '0'}`, currency) ?? Number(whole);
}
