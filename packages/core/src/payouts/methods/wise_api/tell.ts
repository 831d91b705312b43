import { z } from 'zod';
import { decimalMinorUnits } from '../../../sources/port/read-message.ts';
import type { Quote as QuotedPayment } from '../../port/method.ts';
import { type Amount, RailError, type Word } from '../../port/rail.ts';
import { WISE_REASONS } from './reasons.ts';

const id = z.int().positive();

export const Transfer = z.object({
  id,
  status: z.string(),
  customerTransactionId: z.string().nullish(),
  quoteUuid: z.string().nullish(),
  rate: z.number().nullish(),
  sourceCurrency: z.string(),
  targetCurrency: z.string(),
  targetValue: z.number(),
});
export type Transfer = z.infer<typeof Transfer>;

const Option = z.object({
  payIn: z.string(),
  disabled: z.boolean().catch(false),
  sourceAmount: z.number(),
  sourceCurrency: z.string(),
  fee: z.object({ total: z.number() }),
});

export const Quote = z.object({ id: z.string().min(1), paymentOptions: z.array(Option) });
export type Quote = z.infer<typeof Quote>;

/** The way in which the money comes from the account at Wise. */
export const FROM_BALANCE = 'BALANCE';

/** The state of a transfer that waits until somebody pays it in. */
export const WAITING = 'incoming_payment_waiting';

/** States by Wise's names. Wise pays out nothing after `cancelled`; the money comes back if there was any. */
const STATES = new Map<string, Word['state']>([
  [WAITING, 'sent'],
  ['incoming_payment_initiated', 'sent'],
  ['processing', 'in_transit'],
  ['funds_converted', 'in_transit'],
  ['bounced_back', 'in_transit'],
  ['waiting_recipient_input_to_proceed', 'unclaimed'],
  ['outgoing_payment_sent', 'arrived'],
  ['cancelled', 'failed'],
  ['funds_refunded', 'returned'],
  ['charged_back', 'returned'],
]);

/**
 * Returns what Wise says of a payment. Throws a `RailError` for a state that is not known, and for `unknown`, which is one of Wise's own.
 *
 * @param paid how and from what it was paid in, if that is known
 */
export function tellTransfer(transfer: Transfer, paid: QuotedPayment | null): Word {
  const { status, targetValue, targetCurrency, sourceCurrency, rate } = transfer;
  const state = STATES.get(status);
  if (state === undefined) throw new RailError({ said: WISE_REASONS.unknown_state, outcomeUnknown: true, word: status });
  const amount = { amount_cents: decimalMinorUnits(String(targetValue), targetCurrency), currency: targetCurrency };
  return {
    state,
    raw_state: status,
    amount,
    facts: {
      provider_item_id: String(transfer.id),
      ...(paid && {
        fee_cents: paid.fee.cents,
        fee_currency: paid.fee.currency,
        debited_cents: paid.debited.cents,
        debited_currency: paid.debited.currency,
      }),
      ...(sourceCurrency !== targetCurrency &&
        rate && { credited_cents: amount.amount_cents, credited_currency: targetCurrency, exchange_rate: String(rate) }),
    },
  };
}

/** Returns the fee and the sum of a quote for a way of paying in, or null if it has none. */
export function paidBy({ paymentOptions }: Quote, payIn: string): QuotedPayment | null {
  const option = paymentOptions.find((each) => each.payIn === payIn && !each.disabled);
  if (!option) return null;
  const currency = option.sourceCurrency;
  const amount = (value: number): Amount => ({ cents: decimalMinorUnits(String(value), currency), currency });
  return { fee: amount(option.fee.total), debited: amount(option.sourceAmount) };
}
