import { sql } from 'kysely';
import { paymentOf } from '../../ledger/payouts/payout-events.ts';
import { PAYOUT_COLUMNS, payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { FailedPayoutEventData } from '../../ledger/payouts/payout.schema.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { emit } from '../../webhooks/events/emit.ts';

/**
 * Announces that attempts to pay payouts have failed. Call it before the payouts are released: the data of the event are those of the payout that
 * could not be paid, as it is when it is open again.
 *
 * @param reasons the reasons, by the ids of the payouts
 */
export async function announceFailed(ctx: WriteCtx, reasons: ReadonlyMap<string, string>): Promise<void> {
  if (reasons.size === 0) return;
  const rows = await payoutView(ctx)
    .select(PAYOUT_COLUMNS)
    .select('payout.obstacles')
    .select(paymentOf('payout.id').as('payment'))
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${[...reasons.keys()]})`)
    .orderBy('payout.id')
    .execute();
  for (const { obstacles, ...payout } of rows) {
    const eligible = obstacles.length === 0;
    const open = { state: eligible ? ('due' as const) : ('pending' as const), eligible, ineligible_reasons: obstacles };
    emit(ctx, 'payout.failed', { ...payout, ...open, reason: reasons.get(payout.id)! } satisfies FailedPayoutEventData);
  }
}
