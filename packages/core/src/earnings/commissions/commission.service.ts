import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { payoutOf } from '../payout-records/open-payout.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { adjustTo, creditedCents } from './adjust.ts';
import { changeCommission } from './change.ts';
import { Commission } from './commission.entity.ts';
import { emitCommissions } from './commission.events.ts';
import { getCommission, getPlainCommission } from './commission.queries.ts';
import type { CommissionRecord } from './commission.expansions.ts';
import type { ReviewCommission, UpdateCommission, VoidCommission } from './commission.schema.ts';

/**
 * Sets the due date, marks a commission paid by hand, or takes that back (docs/domain-rules.md#commissions).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for the paid state of a voided commission, and for anything that a claimed or paid payout holds
 */
export async function updateCommission(ctx: WriteCtx, { id, due_at, paid_at }: UpdateCommission): Promise<CommissionRecord> {
  const commission = await lockCommission(ctx, id);
  const before = commission.state;
  if (due_at !== undefined) {
    if (commission.isUnpaid()) {
      await assertNotClaimed(ctx, commission, 'due_at');
      await changeCommission(ctx, commission, () => commission.reschedule(due_at, ctx.now));
    } else {
      // Its payout keeps it as it is: a voided one may be in an open payout, together with the adjustment that takes it back.
      commission.reschedule(due_at, ctx.now);
      await ctx.em.flush();
    }
  }
  if (paid_at !== undefined && (paid_at !== commission.paid_at || commission.state === 'voided')) {
    if (commission.state !== 'voided') await assertNotClaimed(ctx, commission, 'paid_at');
    await changeCommission(ctx, commission, () =>
      paid_at === null ? commission.markUnpaid(ctx.now) : commission.markPaid(paid_at, ctx.now),
    );
  }
  if (before === 'pending' && commission.state === 'due') await emitCommissions(ctx, 'commission.due', [id]);
  return getCommission(ctx, id);
}

/**
 * Voids a commission; voiding again changes nothing. One in an open payout leaves it; for one that was claimed or paid, the
 * payout stands and an adjustment takes the money back (docs/domain-rules.md#voiding).
 */
export async function voidCommission(ctx: WriteCtx, { id, void_reason }: VoidCommission): Promise<CommissionRecord> {
  const commission = await lockCommission(ctx, id);
  if (commission.state !== 'voided') await voidLocked(ctx, commission, void_reason ?? null);
  return getCommission(ctx, id);
}

/** Approve, flag, or deactivate (docs/domain-rules.md#review). Throws NOT_FOUND; VALIDATION_ERROR on a paid or voided commission. */
export async function reviewCommission(ctx: WriteCtx, { id, review_action }: ReviewCommission): Promise<CommissionRecord> {
  const commission = await lockCommission(ctx, id);
  if (!commission.isUnpaid())
    throw invalid('review_action', `A ${commission.state} commission cannot be reviewed`, 'invalid_state');
  if (review_action === 'deactivate') {
    await voidLocked(ctx, commission, 'deactivated in review');
    const referral = await loadForUpdate(ctx, Referral, commission.referral_id);
    if (referral.deactivated_at === null) referral.setDeactivated(ctx.now, ctx.now);
    await ctx.em.flush();
    return getCommission(ctx, id);
  }
  const before = commission.state;
  if (review_action === 'suspicious') await assertNotClaimed(ctx, commission, 'review_action');
  await changeCommission(ctx, commission, () =>
    commission.review(review_action === 'approve' ? 'approved' : 'suspicious', ctx.now),
  );
  if (before === 'pending' && commission.state === 'due') await emitCommissions(ctx, 'commission.due', [id]);
  return getCommission(ctx, id);
}

/** A voided sale earns nothing; a voided adjustment is undone. What was claimed or paid by then, an adjustment corrects. */
async function voidLocked(ctx: WriteCtx, commission: Commission, reason: string | null): Promise<void> {
  const target = commission.kind === 'sale' ? 0 : (await creditedCents(ctx, commission.sale_id)) - commission.amount_cents;
  await changeCommission(ctx, commission, () => commission.void(reason, ctx.now));
  await emitCommissions(ctx, 'commission.voided', [commission.id]);
  await adjustTo(ctx, commission, target);
}

/** Locks a commission, after its affiliate: the order of all money changes. Throws NOT_FOUND. */
async function lockCommission(ctx: WriteCtx, id: string): Promise<Commission> {
  const { affiliate_id } = await getPlainCommission(ctx, id);
  await lockAffiliate(ctx, affiliate_id);
  return loadForUpdate(ctx, Commission, id);
}

async function assertNotClaimed(ctx: WriteCtx, commission: Commission, path: string): Promise<void> {
  const payout = await payoutOf(ctx.db, commission.id);
  if (payout && payout.status !== 'open') {
    const state = payout.status === 'paid' ? 'paid' : 'being paid';
    throw invalid(
      path,
      `This commission is in a payout that is ${state}. Void it instead: the next payout is then reduced.`,
      'in_payout',
    );
  }
}
