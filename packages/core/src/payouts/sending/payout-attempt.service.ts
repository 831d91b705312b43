import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { getPayoutAttempt } from '../../ledger/payouts/payout-attempt.queries.ts';
import type { PayoutAttemptRecord } from '../../ledger/payouts/payout-attempt.schema.ts';
import { lockAttempt, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { findBatchOf } from '../batches/batch.queries.ts';
import { moveAttempt } from './move-attempt.ts';
import type { DecidePayoutAttempt, WithdrawPayoutAttempt } from './sending.schema.ts';

/**
 * Ends an attempt whose outcome the service cannot find out any more, by the word of a person (docs/rules/payouts.md#attempts).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, and while the service still asks about the payment
 */
export async function decidePayoutAttempt(
  ctx: WriteCtx,
  { id, outcome, reason }: DecidePayoutAttempt,
): Promise<PayoutAttemptRecord> {
  const { affiliate_id } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  if (attempt.state !== 'unknown')
    throw invalid('id', `This attempt is ${attempt.state}. Only an unknown outcome is decided.`, 'invalid_state');
  if (attempt.lease_until !== null)
    throw invalid(
      'id',
      'The service still finds out whether this payment was made. Decide when the attempt has the reason `key_expired` or `amount_mismatch`.',
      'invalid_state',
    );
  await moveAttempt(ctx, held, attempt, { state: outcome, reason });
  return getPayoutAttempt(ctx, { id });
}

/**
 * Withdraws a prepared payment that the service has not sent, and opens its payout.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR (`invalid_state`) for an attempt with another state, and for one of an export or a run
 */
export async function withdrawPayoutAttempt(ctx: WriteCtx, { id, reason }: WithdrawPayoutAttempt): Promise<PayoutAttemptRecord> {
  const { affiliate_id, payout_id } = await getPayoutAttempt(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const attempt = await lockAttempt(ctx, held, id);
  if (attempt.state !== 'prepared' && attempt.state !== 'approved')
    throw invalid('id', `This attempt is ${attempt.state}, so there is nothing to withdraw.`, 'invalid_state');
  const batch = await findBatchOf(ctx.db, payout_id);
  if (batch?.kind !== 'payment')
    throw invalid('id', 'An export or a run has prepared this attempt. Delete the export, or cancel the run.', 'invalid_state');
  await releasePayouts(ctx, held, batch.id, new Map([[payout_id, { state: 'withdrawn', reason }]]));
  return getPayoutAttempt(ctx, { id });
}
