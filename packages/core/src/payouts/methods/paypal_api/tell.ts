import { z } from 'zod';
import { parseDecimalAmount } from '../../../platform/money/money.ts';
import { plusDays, toInstant } from '../../../platform/time/instant.ts';
import { withoutAddresses } from '../../port/rail-request.ts';
import { RailError, type Word } from '../../port/rail.ts';
import { PAYPAL_REASONS } from '../paypal/reasons.ts';

/** Days after which PayPal returns a payment that nobody has claimed. */
const CLAIM_DAYS = 30;

const Money = z.object({ currency: z.string(), value: z.string() });
type Money = z.infer<typeof Money>;

const Name = z
  .object({ given_name: z.string(), surname: z.string(), full_name: z.string(), alternate_full_name: z.string() })
  .partial();

const Fault = z.object({ name: z.string(), message: z.string() }).partial();

export const Item = z.object({
  payout_item_id: z.string().min(1),
  payout_batch_id: z.string(),
  transaction_status: z.string().nullish(),
  payout_item_fee: Money.nullish(),
  currency_conversion: z.object({ from_amount: Money, to_amount: Money, exchange_rate: z.string() }).partial().nullish(),
  time_processed: z.string().nullish(),
  payout_item: z.object({
    amount: Money,
    sender_item_id: z.string().optional(),
    recipient_name: Name.nullish(),
  }),
  errors: Fault.nullish(),
});
export type Item = z.infer<typeof Item>;

export const Batch = z.object({
  batch_header: z.object({
    payout_batch_id: z.string().min(1),
    batch_status: z.string(),
    sender_batch_header: z.object({ sender_batch_id: z.string().optional() }),
    errors: Fault.nullish(),
  }),
  items: z.array(Item).default([]),
});
export type Batch = z.infer<typeof Batch>;

/** The states of payments by PayPal's names. A batch has only some of them, as long as it names no payments. */
const ITEM_STATES = new Map<string, Word['state']>([
  ['PENDING', 'in_transit'],
  ['ONHOLD', 'in_transit'],
  ['UNCLAIMED', 'unclaimed'],
  ['SUCCESS', 'arrived'],
  ['RETURNED', 'returned'],
  ['REFUNDED', 'returned'],
  ['REVERSED', 'returned'],
  ['FAILED', 'failed'],
  ['BLOCKED', 'failed'],
  ['DENIED', 'failed'],
]);
const BATCH_STATES = new Map<string, Word['state']>([
  ['PENDING', 'sent'],
  ['PROCESSING', 'sent'],
  // Says nothing about a payment.
  ['SUCCESS', 'sent'],
  ['DENIED', 'failed'],
  ['CANCELED', 'failed'],
]);

/** Returns what PayPal says of a payment. Throws a `RailError` for a state that is not known: it is no reason to pay again. */
export function tellItem(item: Item, state = item.transaction_status ?? 'PENDING'): Word {
  const { payout_item_id, payout_batch_id, payout_item_fee, currency_conversion, time_processed, payout_item, errors } = item;
  const is = stateNamed(ITEM_STATES, state);
  const amount = { amount_cents: centsOf(payout_item.amount) ?? Number.NaN, currency: payout_item.amount.currency };
  return {
    state: is,
    raw_state: state,
    amount,
    ...reasonOf(errors),
    facts: {
      provider_batch_id: payout_batch_id,
      provider_item_id: payout_item_id,
      receiver_name: nameOf(payout_item.recipient_name),
      expires_at: is === 'unclaimed' && isTime(time_processed) ? plusDays(toInstant(new Date(time_processed)), CLAIM_DAYS) : null,
      ...feeOf(payout_item_fee),
      ...conversionOf(currency_conversion),
      ...(is === 'returned' && Number.isInteger(amount.amount_cents) && { returned_cents: amount.amount_cents }),
    },
  };
}

/** Returns what PayPal says of the payment of a batch. A batch that is new names no payments yet. */
export function tellBatch({ batch_header, items }: Batch, key: string): Word {
  const { payout_batch_id, batch_status, sender_batch_header, errors } = batch_header;
  if (sender_batch_header.sender_batch_id !== key)
    throw new RailError({ said: PAYPAL_REASONS.other_batch, outcomeUnknown: true });
  const item = items.find(({ payout_item }) => payout_item.sender_item_id === key);
  if (item) return tellItem(item, batch_status === 'DENIED' && !item.transaction_status ? 'DENIED' : undefined);
  return {
    state: stateNamed(BATCH_STATES, batch_status),
    raw_state: batch_status,
    ...reasonOf(errors),
    stopsRail: batch_status === 'DENIED',
    facts: { provider_batch_id: payout_batch_id },
  };
}

function stateNamed(states: ReadonlyMap<string, Word['state']>, name: string): Word['state'] {
  const state = states.get(name);
  if (state === undefined) throw new RailError({ said: PAYPAL_REASONS.unknown_state, outcomeUnknown: true, word: name });
  return state;
}

/** Returns an amount in the minor unit, or null if it is not one. PayPal may write decimals that the currency does not have, as zeros. */
function centsOf({ currency, value }: Money): number | null {
  return parseDecimalAmount(value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), currency);
}

/** The fee is 0 until PayPal has decided it. */
function feeOf(fee: Money | null | undefined) {
  const cents = fee && centsOf(fee);
  return cents === undefined || cents === null ? {} : { fee_cents: cents, fee_currency: fee!.currency };
}

function conversionOf(conversion: Item['currency_conversion']) {
  const { from_amount, to_amount, exchange_rate } = conversion ?? {};
  const [debited, credited] = [from_amount && centsOf(from_amount), to_amount && centsOf(to_amount)];
  return {
    ...(typeof debited === 'number' && { debited_cents: debited, debited_currency: from_amount!.currency }),
    ...(typeof credited === 'number' && { credited_cents: credited, credited_currency: to_amount!.currency }),
    ...(exchange_rate !== undefined && { exchange_rate }),
  };
}

function nameOf(name: z.infer<typeof Name> | null | undefined): string | null {
  const { full_name, alternate_full_name, given_name, surname } = name ?? {};
  const parts = [given_name, surname].filter((part) => part !== undefined && part !== '').join(' ');
  return full_name ?? alternate_full_name ?? (parts === '' ? null : parts);
}

function reasonOf(fault: z.infer<typeof Fault> | null | undefined): { reason?: string } {
  const parts = [fault?.name, fault?.message].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? {} : { reason: withoutAddresses(parts.join(': ')) };
}

function isTime(text: string | null | undefined): text is string {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text));
}
