import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { mailPaid, mailReturned } from './payout-mail.ts';
import type { Payout } from './payout.entity.ts';
import { markPayoutReturned, markPayoutsPaid } from './payout.transitions.ts';

/** Payouts per statement. Limits how many ids and events this process handles at a time. */
const CHUNK = 5_000;

/**
 * Marks payouts and their commissions paid, and writes emails to the affiliates. All payments use this
 * function: by export, by run, and by hand (`batchId` null).
 *
 * @returns the ids of the payouts that were paid. With a batch, only payouts that it holds are paid; without one, only open payouts
 */
export async function payPayouts(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string | null,
  payoutIds: readonly string[],
  paymentReference: string | null,
): Promise<string[]> {
  const paid: string[] = [];
  for (let start = 0; start < payoutIds.length; start += CHUNK) {
    const ids = await markPayoutsPaid(ctx, held, batchId, payoutIds.slice(start, start + CHUNK), paymentReference);
    await mailPaid(ctx, ids);
    paid.push(...ids);
  }
  ctx.afterCommit(() => ctx.services.jobs.send('commission_counts'));
  return paid;
}

/** Marks a paid payout returned, and writes an email to the affiliate. All money that comes back uses this function. */
export async function returnPaid(ctx: WriteCtx, held: HeldAffiliates, payout: Locked<Payout>, reason: string): Promise<void> {
  await markPayoutReturned(ctx, held, payout, reason);
  await mailReturned(ctx, payout, reason);
}
