/**
 * Creates and changes commissions together with the open payout of their affiliate.
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import type { Commission, ReviewReason, ReviewStatus } from '../commissions/commission.entity.ts';
import {
  type Balance,
  type CommissionLines,
  type CommissionTerms,
  createBalances,
  createCommission,
  isPayable,
} from '../commissions/commission.transitions.ts';
import { collectCommissions, removeCommissions } from '../payouts/payout.transitions.ts';
import { IS_CREDITED } from './credited.ts';

/** Creates a commission, with its lines if reward rules decided, and adds it to the open payout if it is payable. */
export async function bookCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  terms: CommissionTerms,
  lines?: CommissionLines,
): Promise<Locked<Commission>> {
  const commission = createCommission(ctx, terms, lines);
  foldCountsSoon(ctx);
  if (isPayable(commission)) await collectCommissions(ctx, held, ctx.now, [commission.id]);
  return commission;
}

/** Books amounts that move from one payout to another as manual commissions. The caller books their counterparts, so that the sum stays the same. */
export async function bookBalances(ctx: WriteCtx, held: HeldAffiliates, balances: readonly Balance[]): Promise<void> {
  if (balances.length === 0) return;
  const ids = await createBalances(ctx, held, balances);
  foldCountsSoon(ctx);
  await collectCommissions(ctx, held, ctx.now, ids);
}

/**
 * Applies `change` to a commission and updates its open payout: removes the commission with its old amount, and adds it again with the new
 * amount if it is still payable. A claimed or paid payout that holds the commission does not change.
 */
export async function changeCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  change: () => void,
): Promise<void> {
  await removeCommissions(ctx, held, ctx.now, [commission.id]);
  change();
  foldCountsSoon(ctx);
  if (isPayable(commission)) await collectCommissions(ctx, held, ctx.now, [commission.id]);
}

/** Has the counts of commissions updated after the commit. */
export function foldCountsSoon({ services, afterCommit }: WriteCtx): void {
  afterCommit(() => services.jobs.send('commission_counts'));
}

/** Columns of a commission by which `creditedCents` finds the commissions and adjustments that are totaled with it. */
type Corrected = Pick<Commission, 'id' | 'adjusts_commission_id' | 'sale_id' | 'affiliate_id' | 'currency' | 'rule_id'>;

/**
 * Returns the total credited so far, in cents. For the commission of a sale: the sum of the affiliate's commissions and adjustments for
 * this sale, in the commission's currency, without bonuses. For a bonus: that of its rule for this sale. For a commission without a sale: the sum of
 * the commission and its adjustments.
 */
export async function creditedCents(ctx: WriteCtx, commission: Corrected): Promise<number> {
  const { sale_id, affiliate_id, currency, rule_id } = commission;
  const ownId = commissionWithoutSale(commission);
  const together =
    ownId === null
      ? sql`sale_id = ${sale_id} and affiliate_id = ${affiliate_id} and currency = ${currency} and rule_id is not distinct from ${rule_id}`
      : sql`(id = ${ownId} or adjusts_commission_id = ${ownId})`;
  const { rows } = await sql<{ credited: number }>`
    select coalesce(sum(amount_cents), 0) as credited from commission where ${together} and ${IS_CREDITED}`.execute(ctx.db);
  return rows[0]!.credited;
}

/**
 * For a commission without a sale, returns its id; for an adjustment of such a commission, the id of that commission. Returns null for
 * commissions of sales and their adjustments.
 */
function commissionWithoutSale({ id, sale_id, adjusts_commission_id }: Corrected): string | null {
  return sale_id === null ? (adjusts_commission_id ?? id) : null;
}

interface AdjustmentTerms {
  dueAt: Instant;
  reviewStatus: ReviewStatus | null;
  reviewReason: ReviewReason | null;
}

/**
 * Creates an adjustment that brings the total of `creditedCents` to `targetCents`, and adds it to the open payout if it is payable.
 * `commission` itself does not change (docs/rules/ledger.md#adjustments). The amount is computed from everything credited so far, so
 * refunds may arrive in any order and any number of times.
 *
 * @param terms default: due now, without review
 * @returns the adjustment, or null if the total is already right
 */
export async function adjustTo(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Commission,
  targetCents: number,
  { dueAt, reviewStatus, reviewReason }: AdjustmentTerms = { dueAt: ctx.now, reviewStatus: null, reviewReason: null },
): Promise<Commission | null> {
  const difference = targetCents - (await creditedCents(ctx, commission));
  if (difference === 0) return null;
  return bookCommission(ctx, held, {
    kind: 'adjustment',
    campaign_id: commission.campaign_id,
    affiliate_id: commission.affiliate_id,
    referral_id: commission.referral_id,
    sale_id: commission.sale_id,
    adjusts_commission_id: commissionWithoutSale(commission) ?? commission.id,
    rule_id: commission.rule_id,
    amount_cents: difference,
    currency: commission.currency,
    livemode: commission.livemode,
    basis_points: null,
    due_at: dueAt,
    review_status: reviewStatus,
    review_reason: reviewReason,
  });
}
