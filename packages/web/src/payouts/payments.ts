import type { Outputs } from '../api/client.ts';
import { labelOf } from '../components/labels.ts';
import { t } from '../texts/sending.ts';

/** Payments that the service sends together. */
export type Payment = Outputs['payoutBatches']['list']['data'][number];
export type Attempt = Outputs['payoutAttempts']['list']['data'][number];

/** The meaning of each state of an attempt, and the next step. */
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

/** Returns why a payment has ended, in the words of the catalogue, of the service that pays, or of a person. Null if nobody has said it. */
export function endOf({ state, reason }: Attempt): string | null {
  if (reason === null || reason === state || !['failed', 'returned', 'withdrawn'].includes(state)) return null;
  return isCode(reason) ? labelOf(reason) : reason;
}

/** Reports whether a reason is a code of this service, and no text. */
export function isCode(reason: string | null): boolean {
  return reason !== null && /^[a-z_]+$/.test(reason);
}

/** True if a payment is not sent before its affiliate is cleared. */
export function isScreened({ state, reason }: Attempt): boolean {
  return (state === 'prepared' || state === 'approved') && reason === 'screening';
}

/** True if only a person can say what became of a payment. */
export function isUndecided({ state, reason }: Attempt): boolean {
  return state === 'unknown' && reason !== null && reason !== 'no_answer';
}

const POLL_MS = 3_000;

/** Returns the polling interval in milliseconds, or false if no payment is under way. */
export function pollWhilePaying(isPaying: boolean): number | false {
  return isPaying && POLL_MS;
}
