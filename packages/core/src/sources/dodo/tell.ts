/**
 * Reads the events and objects of Dodo, and tells a payment as a snapshot. Amounts are integers in the smallest unit of the currency, but those of
 * disputes are texts.
 */
import { z } from 'zod';
import { minorUnitDigits, parseDecimalAmount } from '../../platform/money/money.ts';
import type { ProviderMode, SourceEvent } from '../port/port.ts';
import {
  amount,
  currency,
  eventOf,
  id,
  optionalId,
  optionalTime,
  parseMessage,
  text,
  time,
  withEventId,
} from '../port/read-message.ts';
import type { DisputeSeen, PaymentSeen, RefundSeen, Seen } from '../port/seen.ts';
import { readCustomData, wholePayment } from '../port/whole-payment.ts';

const Customer = z.object({ customer_id: id, email: text, name: text });

const Refund = z.object({
  refund_id: id,
  status: z.string(),
  amount: amount.min(0).nullish(),
  created_at: time,
});

const Dispute = z.object({
  dispute_id: id,
  dispute_status: z.string(),
  /** An integer in the smallest unit, or a decimal number of the currency's unit. */
  amount: z.string().regex(/^\d{1,12}(\.\d{1,4})?$/),
  created_at: time,
});

export const Payment = z.object({
  payment_id: id,
  status: z.string().nullish(),
  total_amount: amount,
  tax: amount.nullish(),
  currency,
  customer: Customer,
  metadata: z.unknown(),
  subscription_id: optionalId,
  checkout_session_id: optionalId,
  payment_link: text,
  created_at: time,
  updated_at: optionalTime,
  product_cart: z
    .array(z.object({ product_id: id, quantity: z.int() }))
    .nullish()
    .catch(null),
  discounts: z
    .array(z.object({ code: text }))
    .nullish()
    .catch(null),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
});
export type Payment = z.infer<typeof Payment>;
type Refund = z.infer<typeof Refund>;
type Dispute = z.infer<typeof Dispute>;

const Message = z.looseObject({ type: z.string().max(100), timestamp: time, data: z.looseObject({}) });

/** The part of a payment, refund or dispute that names the payment. */
const OfPayment = z.object({ payment_id: id, customer: Customer.nullish().catch(null) });

/** Entries of lists, each with the state that its id stands for. */
export const LISTED = {
  '/payments': z
    .object({ payment_id: id, created_at: time, status: z.string().nullish() })
    .transform((each) => ({ ...each, id: each.payment_id })),
  '/refunds': z
    .object({ refund_id: id, payment_id: id, created_at: time, status: z.string() })
    .transform((each) => ({ ...each, id: each.refund_id })),
  '/disputes': z
    .object({ dispute_id: id, payment_id: id, created_at: time, dispute_status: z.string() })
    .transform(({ dispute_status: status, ...each }) => ({ ...each, id: each.dispute_id, status })),
} as const;

export const Brands = z.object({ items: z.array(z.object({ business_id: id, name: text })) });

export const Endpoint = z.object({
  id,
  url: z.string(),
  description: z.string().nullish(),
  disabled: z.boolean().nullish(),
  filter_types: z.array(z.string()).nullish(),
});
export const EndpointPage = z.object({ data: z.array(Endpoint), iterator: z.string().nullish(), done: z.boolean() });
export const Secret = z.object({ secret: z.string().min(1) });

/** The types that may contain something of use. */
export const EVENT_TYPES = [
  'payment.succeeded',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.expired',
  'dispute.accepted',
  'dispute.cancelled',
  'dispute.challenged',
  'dispute.won',
  'dispute.lost',
];

export interface DodoEvent extends SourceEvent {
  /** The payment that the event is about; null for another event. */
  paymentId: string | null;
  /** The payment, once it has been read, and the time of that. */
  read: { payment: Payment; at: string } | null;
}

/** Reads the body of a delivery, or a stored payload, which has the id of its event. Throws `MalformedPspEventError`. */
export function readMessage(body: string, mode: ProviderMode): DodoEvent {
  const told = parseMessage('Dodo', Message, body);
  const { type, timestamp: at, data } = told;
  // The id of a delivery is in a header. Every attempt has the same content.
  const payload = withEventId(told, [type, at, data]);
  const event = { id: payload.affiliate_event_id, type, at, mode, payload };
  return eventOf<DodoEvent>(event, EVENT_TYPES, { paymentId: null, read: null }, () => {
    const { success, data: of } = OfPayment.safeParse(data);
    if (!success) return null;
    const { payment_id: paymentId, customer } = of;
    const payer = customer && { id: customer.customer_id, externalId: null, email: customer.email, formerEmail: null };
    return { paymentId, payer: payer ?? null };
  });
}

/** Returns an event about the state of an entry that was found in a list. Its id is that of the state, so that a known state is not read again. */
export function polledEvent(paymentId: string, state: string, at: string, mode: ProviderMode): DodoEvent {
  const told = { type: 'payment.succeeded', timestamp: at, data: { payment_id: paymentId }, affiliate_event_id: state };
  return readMessage(JSON.stringify(told), mode);
}

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
