import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { returnPaid } from '../../ledger/payouts/pay-payouts.ts';
import { Payout } from '../../ledger/payouts/payout.entity.ts';
import type { PayoutRecord } from '../../ledger/payouts/payout.expansions.ts';
import { getPayout } from '../../ledger/payouts/payout.queries.ts';
import type { ReturnPayout } from '../../ledger/payouts/payout.schema.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { findBatchOf, loadBatchAlone } from '../batches/batch.queries.ts';
import { touchBatch } from '../batches/payout-batch.transitions.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';

/**
 * Marks a paid payout returned, because its transfer bounced. Its commissions become due again and join the open payout, and the returned
 * payout stays as a record (docs/rules/payouts.md#returned-payouts). Writes an email to the affiliate. Returning a payout again changes nothing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR (`not_paid`) if the payout is not paid
 */
export async function returnPayout(ctx: WriteCtx, { id, reason }: ReturnPayout): Promise<PayoutRecord> {
  const { affiliate_id } = await getPayout(ctx, { id });
  // Finds the batch before the affiliate is locked, because batches are locked first. The attempt needs no lock, because the attempt that has paid a
  // payout stays.
  const batch = await findBatchOf(ctx.db, id);
  if (batch) await loadBatchAlone(ctx, batch.kind, batch.id);
  const held = await lockAffiliate(ctx, affiliate_id);
  const payout = await lock(ctx, Payout, id);
  if (payout.status === 'returned') return getPayout(ctx, { id });
  if (payout.status !== 'paid') throw invalid('id', PAYOUT_REASONS.payout_not_paid, 'not_paid');
  await returnPaid(ctx, held, payout, reason);
  if (batch) await touchBatch(ctx, batch.id);
  return getPayout(ctx, { id });
}
