import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { payPayouts, returnPaid } from '../../ledger/payouts/pay-payouts.ts';
import type { PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';
import { Payout } from '../../ledger/payouts/payout.entity.ts';
import { changeAttempt, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { announceFailed } from '../batches/failed-payouts.ts';

/** Moves an attempt that was sent to another state, with the effect on its payout. */
export async function moveAttempt(
  ctx: WriteCtx,
  held: HeldAffiliates,
  attempt: PayoutAttempt,
  { state, reason }: { state: PayoutAttempt['state']; reason: string },
): Promise<void> {
  const { id, payout_id, batch_id, arrived_at } = attempt;
  if (state === 'arrived') await payPayouts(ctx, held, batch_id, [payout_id], id);
  else if (state === 'returned' && arrived_at !== null) await returnPaid(ctx, held, await lock(ctx, Payout, payout_id), reason);
  else if (state === 'failed' || state === 'returned') {
    await announceFailed(ctx, new Map([[payout_id, reason]]));
    await releasePayouts(ctx, held, batch_id!, new Map([[payout_id, { state, reason }]]));
  } else await changeAttempt(ctx, id, { state, reason: null });
}
