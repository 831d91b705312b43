import { sql } from 'kysely';
import { newId } from '../api/ids.ts';
import { created } from '../api/records.ts';
import type { WriteCtx } from '../context.ts';
import { attachToOpenPayouts } from '../payouts/open-payout.ts';
import { Commission } from './commission.entity.ts';
import { emitCommissions } from './commission.events.ts';

/**
 * Brings what an affiliate has of a claimed or paid commission to `targetCents`, by an adjustment in the open payout: the
 * commission itself stands as it was paid (decisions, "Records": Refunds, Payout). Works from all earlier adjustments, so
 * refunds may be told of in any order and any number of times.
 *
 * @returns the adjustment, or null when nothing needs correcting
 */
export async function adjustTo(ctx: WriteCtx, commission: Commission, targetCents: number): Promise<Commission | null> {
  await ctx.em.flush();
  const { rows } = await sql<{ settled: number }>`
    select coalesce(sum(amount_cents), 0) as settled from commission
    where adjusts_commission_id = ${commission.id} and state <> 'voided'`.execute(ctx.db);
  const difference = targetCents - (commission.amount_cents + rows[0]!.settled);
  if (difference === 0) return null;
  const adjustment = ctx.em.create(Commission, {
    ...created(ctx, newId('commission', ctx.clock.now())),
    campaign_id: commission.campaign_id,
    affiliate_id: commission.affiliate_id,
    referral_id: commission.referral_id,
    sale_id: commission.sale_id,
    adjusts_commission_id: commission.id,
    kind: 'adjustment',
    state: 'due',
    amount_cents: difference,
    currency: commission.currency,
    basis_points: null,
    due_at: ctx.now,
    paid_at: null,
    voided_at: null,
    void_reason: null,
    review_status: null,
  });
  await ctx.em.flush();
  await attachToOpenPayouts(ctx.db, ctx.now, [adjustment.id]);
  await emitCommissions(ctx, 'commission.created', [adjustment.id]);
  await emitCommissions(ctx, 'commission.due', [adjustment.id]);
  return adjustment;
}
