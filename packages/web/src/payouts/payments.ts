import type { Outputs } from '../api/client.ts';
import { t } from '../texts/sending.ts';

/** Payments that the service sends together. */
export type Payment = Outputs['payoutBatches']['list']['data'][number];
export type Attempt = Outputs['payoutAttempts']['list']['data'][number];

/** What each state of an attempt means, and what happens next. */
export const MEANINGS: Record<Attempt['state'], string> = {
  prepared: t.preparedHint,
  approved: t.preparedHint,
  sent: t.sentHint,
  unknown: t.unknownHint,
  in_transit: t.inTransitHint,
  unclaimed: t.unclaimedHint,
  arrived: t.arrivedHint,
  returned: t.returnedHint,
  failed: '',
  withdrawn: t.withdrawnHint,
};

/** True if only a person can say what became of a payment. */
export function isUndecided({ state, reason }: Attempt): boolean {
  return state === 'unknown' && reason !== null && reason !== 'no_answer';
}

const POLL_MS = 3_000;

/** Returns the polling interval in milliseconds, or false if no payment is under way. */
export function pollWhilePaying(isPaying: boolean): number | false {
  return isPaying && POLL_MS;
}
