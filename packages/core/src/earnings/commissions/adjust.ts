import { sql } from 'kysely';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { attachToOpenPayouts } from '../payout-records/open-payout.ts';
import { Commission } from './commission.entity.ts';
import { emitCommissions } from './commission.events.ts';
import { IS_CREDITED } from './credited.ts';

/** What the affiliate has of a sale: its commission and all adjustments, as far as they count. */
export async function creditedCents(ctx: WriteCtx, saleId: string): Promise<number> {
  await ctx.em.flush();
  const { rows } = await sql<{ credited: number }>`
    select coalesce(sum(amount_cents), 0) as credited from commission where sale_id = ${saleId} and ${IS_CREDITED}`.execute(
    ctx.db,
  );
  return rows[0]!.credited;
}

/** When an adjustment falls due, and whether it waits for a review. */
interface AdjustmentTerms {
  dueAt: Instant;
  reviewStatus: Commission['review_status'];
}

/**
 * Brings what the affiliate has of a sale to `targetCents`, by an adjustment of `commission` in the open payout: the commission itself
 * stands as it was paid (docs/domain-rules.md#adjustments). Works from everything that the sale has earned so far, so refunds may
 * be told of in any order and any number of times.
 *
 * @param terms due at once and without review, unless told otherwise
 * @returns the adjustment, or null when nothing needs correcting
 */
export async function adjustTo(
  ctx: WriteCtx,
  commission: Commission,
  targetCents: number,
  { dueAt, reviewStatus }: AdjustmentTerms = { dueAt: ctx.now, reviewStatus: null },
): Promise<Commission | null> {
  const difference = targetCents - (await creditedCents(ctx, commission.sale_id));
  if (difference === 0) return null;
  const adjustment = ctx.em.create(Commission, {
    ...newRecordColumns(ctx, newId('commission', ctx.clock.now())),
    campaign_id: commission.campaign_id,
    affiliate_id: commission.affiliate_id,
    referral_id: commission.referral_id,
    sale_id: commission.sale_id,
    adjusts_commission_id: commission.id,
    kind: 'adjustment',
    state: dueAt <= ctx.now ? 'due' : 'pending',
    amount_cents: difference,
    currency: commission.currency,
    basis_points: null,
    due_at: dueAt,
    paid_at: null,
    voided_at: null,
    void_reason: null,
    voided_by_refund: false,
    review_status: reviewStatus,
  });
  await ctx.em.flush();
  await attachToOpenPayouts(ctx.db, ctx.now, [adjustment.id]);
  await emitCommissions(ctx, 'commission.created', [adjustment.id]);
  if (adjustment.state === 'due') await emitCommissions(ctx, 'commission.due', [adjustment.id]);
  return adjustment;
}
