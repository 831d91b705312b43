import type { AttemptState, PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';

/** Facts of an attempt that only its rail knows. */
type RailFacts = Pick<
  PayoutAttempt,
  | 'provider_batch_id'
  | 'provider_item_id'
  | 'receiver_name'
  | 'expires_at'
  | 'debited_cents'
  | 'debited_currency'
  | 'credited_cents'
  | 'credited_currency'
  | 'exchange_rate'
  | 'fee_cents'
  | 'fee_currency'
  | 'returned_cents'
>;

/** The statement of a rail about a payment. */
export interface Word {
  state: Extract<AttemptState, 'sent' | 'in_transit' | 'unclaimed' | 'arrived' | 'returned' | 'failed'>;
  /** The rail's own name of the state. */
  raw_state: string;
  /** Why the payment failed or came back. */
  reason?: string;
  /** The amount of the payment, if the rail repeats it. */
  amount?: { amount_cents: number; currency: string };
  facts?: Partial<RailFacts>;
  /** True if the account at the rail is the cause, so that no further payment is sent until a person has looked. */
  stopsRail?: boolean;
}

/**
 * Returns the state of an attempt after its rail has spoken, or null if the word changes nothing. A payment that has arrived can still come back, even
 * if the rail calls that a failure. An attempt that ended otherwise stays as it is, because its payout may have been paid in another way since.
 */
export function stateAfter(state: PayoutAttempt['state'], word: Word): AttemptState | null {
  if (state === 'arrived') return word.state === 'returned' || word.state === 'failed' ? 'returned' : null;
  if (state === 'sent' || state === 'unknown' || state === 'in_transit' || state === 'unclaimed') return word.state;
  return null;
}
