import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Commission, ReviewReason, ReviewStatus } from '../commission-records/commission.entity.ts';
import { bookCommission } from './book-commission.ts';
import { IS_CREDITED } from './credited.ts';

/** The commissions that are corrected together. */
type Corrected = Pick<Commission, 'id' | 'adjusts_commission_id' | 'sale_id' | 'affiliate_id' | 'currency'>;

/**
 * Total credited so far, in cents. For the commission of a sale: by all commissions and adjustments of this affiliate and sale in its
 * currency. For a manual commission: by it and its adjustments.
 */
export async function creditedCents(ctx: WriteCtx, commission: Corrected): Promise<number> {
  await ctx.em.flush();
  const { sale_id, affiliate_id, currency } = commission;
  const manualId = manualCommissionOf(commission);
  const together =
    manualId === null
      ? sql`sale_id = ${sale_id} and affiliate_id = ${affiliate_id} and currency = ${currency}`
      : sql`(id = ${manualId} or adjusts_commission_id = ${manualId})`;
  const { rows } = await sql<{ credited: number }>`
    select coalesce(sum(amount_cents), 0) as credited from commission where ${together} and ${IS_CREDITED}`.execute(ctx.db);
  return rows[0]!.credited;
}

/** The id of the manual commission that the given one adjusts, or its own id when it is not an adjustment. Null for commissions of sales. */
function manualCommissionOf({ id, sale_id, adjusts_commission_id }: Corrected): string | null {
  return sale_id === null ? (adjusts_commission_id ?? id) : null;
}

interface AdjustmentTerms {
  dueAt: Instant;
  reviewStatus: ReviewStatus | null;
  reviewReason: ReviewReason | null;
}

/**
 * Brings the total that `creditedCents` gives to `targetCents`, by an adjustment in the open payout. `commission` itself stays
 * as it was claimed or paid (docs/domain-rules.md#adjustments). The adjustment is the difference to everything credited so far, so refunds may arrive in any order and
 * any number of times. The caller holds the affiliate's lock.
 *
 * @param terms default: due now, without review
 * @returns the adjustment; null when the total is right already
 */
export async function adjustTo(
  ctx: WriteCtx,
  commission: Commission,
  targetCents: number,
  { dueAt, reviewStatus, reviewReason }: AdjustmentTerms = { dueAt: ctx.now, reviewStatus: null, reviewReason: null },
): Promise<Commission | null> {
  const difference = targetCents - (await creditedCents(ctx, commission));
  if (difference === 0) return null;
  return bookCommission(ctx, {
    kind: 'adjustment',
    campaign_id: commission.campaign_id,
    affiliate_id: commission.affiliate_id,
    referral_id: commission.referral_id,
    sale_id: commission.sale_id,
    adjusts_commission_id: manualCommissionOf(commission) ?? commission.id,
    amount_cents: difference,
    currency: commission.currency,
    livemode: commission.livemode,
    basis_points: null,
    due_at: dueAt,
    review_status: reviewStatus,
    review_reason: reviewReason,
  });
}
