import type { WriteCtx } from '../../platform/call/context.ts';
import { type ClaimOwner, markPayoutsPaid } from '../../earnings/payout-records/payout.transitions.ts';
import { mailPaid } from './payout-paid.mail.ts';
import { emitPayouts } from './payout.events.ts';

/** Payouts per statement, where one transaction pays many: bounds the ids and events that pass through this process at a time. */
const CHUNK = 5_000;

/**
 * Marks payouts paid, with their commissions, and emits `payout.paid` for each. Every payment goes through here: by export, by run, and by
 * hand (`owner` null). The caller holds the affiliates' locks.
 *
 * @returns the ids of the payouts that were paid, which are those that the owner holds; or without an owner, those that are open
 */
export async function payPayouts(
  ctx: WriteCtx,
  owner: ClaimOwner | null,
  payoutIds: readonly string[],
  paymentReference: string | null,
): Promise<string[]> {
  const paid: string[] = [];
  for (let start = 0; start < payoutIds.length; start += CHUNK) {
    const ids = await markPayoutsPaid(ctx, owner, payoutIds.slice(start, start + CHUNK), paymentReference);
    await emitPayouts(ctx, 'payout.paid', ids);
    await mailPaid(ctx, ids);
    paid.push(...ids);
  }
  return paid;
}
