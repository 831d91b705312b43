import { sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { assertHappened } from '../../platform/call/call-time.ts';
import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { get, lock, referenced } from '../../platform/call/records.ts';
import { newMerchantColumns, saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { markReferralDeactivated } from '../../program/referrals/referral.transitions.ts';
import { type HeldAffiliates, lockAffiliate } from '../affiliate-lock.ts';
import { Commission, type ContestedReward, isUnpaid } from '../commissions/commission.entity.ts';
import type { CommissionRecord } from '../commissions/commission.expansions.ts';
import { getCommission, getPlainCommission } from '../commissions/commission.queries.ts';
import type { CreateCommission, ReviewCommission, UpdateCommission, VoidCommission } from '../commissions/commission.schema.ts';
import {
  assertReviewable,
  contestOf,
  keepReward,
  markCommissionPaid,
  markCommissionReviewed,
  markCommissionUnpaid,
  markCommissionVoided,
  markRewardReconsidered,
  rescheduleCommission,
  setRewardContested,
} from '../commissions/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import { queueSharingCaps, reopenDecisions } from '../queued-decisions/queue-decisions.ts';
import { LEDGER_REASONS } from '../reasons.ts';
import { Sale } from '../sales/sale.entity.ts';
import { adjustTo, bookCommission, changeCommission, creditedCents } from './book-commission.ts';
import { lockDependents } from './earn.ts';
import { noteMilestoneFact } from './milestones.ts';
import { noteTierFact } from './settle-tiers.ts';

/**
 * Sets the due date of a commission, marks the commission as paid by hand, or marks it as unpaid again (docs/rules/ledger.md#commissions).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if a claimed or paid payout holds the commission, if `paid_at` is in the future, or if the input has
 * `paid_at` and the commission is voided
 */
export async function updateCommission(
  ctx: WriteCtx,
  { id, due_at, paid_at, ...merchantData }: UpdateCommission,
): Promise<CommissionRecord> {
  assertHappened(ctx, 'paid_at', paid_at);
  const { held, commission } = await lockCommission(ctx, id);
  saveMerchantData(ctx, Commission, commission, merchantData);
  if (due_at !== undefined) {
    if (isUnpaid(commission)) {
      await assertNotClaimed(ctx, commission, 'due_at');
      for (const each of [commission, ...(await openDependents(ctx, commission))])
        await changeCommission(ctx, held, each, () => rescheduleCommission(ctx, each, due_at, { isByHand: true }));
    } else {
      // Not `changeCommission`, which would remove a voided commission from an open payout. The commission must stay there, because the
      // payout also contains the adjustment that reverses it.
      rescheduleCommission(ctx, commission, due_at, { isByHand: true });
    }
  }
  if (paid_at !== undefined && (paid_at !== commission.paid_at || commission.state === 'voided')) {
    if (commission.state !== 'voided') await assertNotClaimed(ctx, commission, 'paid_at');
    if (paid_at !== null && commission.state !== 'paid' && commission.livemode) await countPayment(ctx, id, [commission]);
    const isDisputed = await isSaleDisputed(ctx, commission);
    await changeCommission(ctx, held, commission, () =>
      paid_at === null ? markCommissionUnpaid(ctx, commission, { isDisputed }) : markCommissionPaid(ctx, commission, paid_at),
    );
    if (paid_at === null) reopenDecisions(ctx, sql`select ${id}::text`);
  }
  return getCommission(ctx, id);
}

/**
 * Voids a commission; voiding again changes nothing. Removes the commission from its open payout. A claimed or paid payout keeps the
 * commission, and an adjustment takes the money back (docs/rules/ledger.md#voiding). Throws NOT_FOUND.
 */
export async function voidCommission(ctx: WriteCtx, { id, void_reason }: VoidCommission): Promise<CommissionRecord> {
  const { held, commission } = await lockCommission(ctx, id);
  if (commission.state !== 'voided') await voidLocked(ctx, held, commission, void_reason ?? null);
  return getCommission(ctx, id);
}

/** A commission after its review. */
interface ReviewedCommission {
  record: CommissionRecord;
  /** The reward by the facts, instead of one that is kept or taken back; a job lets it be earned if it is taken back. Null for other reviews. */
  contested: ContestedReward | null;
}

/**
 * Records a review: `approve` clears the flag, `suspicious` sets it, `deactivate` voids the commission and deactivates its referral
 * (docs/rules/ledger.md#review). `reconsider` has a paid reward decided again, and `keep` has it stand (docs/rules/rewards.md#paid-rewards).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a paid or voided commission, when flagging a commission that a claimed payout holds, and when keeping or reconsidering
 * anything but a paid reward that facts contradict
 */
export async function reviewCommission(ctx: WriteCtx, { id, review_action }: ReviewCommission): Promise<ReviewedCommission> {
  const { held, commission } = await lockCommission(ctx, id);
  const { contested } = commission;
  if (review_action === 'reconsider') {
    await reconsiderReward(ctx, held, commission);
    return { record: await getCommission(ctx, id), contested };
  }
  if (review_action === 'keep') {
    keepReward(ctx, commission);
    return { record: await getCommission(ctx, id), contested };
  }
  assertReviewable(commission);
  if (review_action === 'deactivate') {
    await voidLocked(ctx, held, commission, 'deactivated in review');
    if (commission.referral_id !== null) {
      markReferralDeactivated(ctx, await lock(ctx, Referral, commission.referral_id));
    }
    return { record: await getCommission(ctx, id), contested: null };
  }
  if (review_action === 'suspicious') await assertNotClaimed(ctx, commission, 'review_action');
  const isDisputed = await isSaleDisputed(ctx, commission);
  const status = review_action === 'approve' ? 'approved' : 'suspicious';
  for (const each of [commission, ...(await openDependents(ctx, commission))])
    await changeCommission(ctx, held, each, () => markCommissionReviewed(ctx, each, status, { isDisputed }));
  return { record: await getCommission(ctx, id), contested: null };
}

/**
 * Takes a paid reward back, and has the lead or the milestone decided again, by a job: what is right by the facts is earned anew. Throws
 * VALIDATION_ERROR unless facts contradict the reward.
 */
async function reconsiderReward(ctx: WriteCtx, held: HeldAffiliates, commission: Locked<Commission>): Promise<void> {
  contestOf(commission);
  await changeCommission(ctx, held, commission, () => markRewardReconsidered(ctx, commission));
  await adjustTo(ctx, held, commission, 0);
  reopenDecisions(ctx, sql`select ${commission.id}::text`);
}

/** Returns what hangs on a commission and follows a person's acts on it: what is neither paid nor voided, nor in a claimed payout. */
async function openDependents(ctx: WriteCtx, commission: Commission): Promise<Locked<Commission>[]> {
  const open: Locked<Commission>[] = [];
  for (const each of await lockDependents(ctx, commission))
    if (isUnpaid(each) && (await findClaimedPayoutOf(ctx.db, each.id)) === null) open.push(each);
  return open;
}

/** Voids a commission with what hangs on it. A paid bonus stays and is contested. */
async function voidLocked(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  reason: string | null,
): Promise<void> {
  const dependents = await lockDependents(ctx, commission);
  await voidOne(ctx, held, commission, reason);
  for (const each of dependents) {
    if (isUnpaid(each)) await voidOne(ctx, held, each, reason);
    else if (each.state === 'paid') setRewardContested(ctx, each, { affiliate_id: null, amount_cents: 0 });
  }
  if (commission.kind === 'milestone') reopenDecisions(ctx, sql`select ${commission.id}::text`);
  if (commission.sale_id === null) return;
  // Also for a bonus, without which the sale may earn nothing, and for an adjustment that gave the commission back.
  noteMilestoneFact(ctx, { saleId: commission.sale_id, campaignId: commission.campaign_id });
  const { charged_at: chargedAt } = await get(ctx, Sale, commission.sale_id);
  queueSharingCaps(ctx, sql`select ${commission.id}::text`, chargedAt);
  if (!commission.livemode) return;
  noteTierFact(ctx, { affiliateId: commission.affiliate_id, campaignId: commission.campaign_id, chargedAt });
}

/** Voids a commission alone. If it was already claimed or paid, an adjustment takes the amount back. */
async function voidOne(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  reason: string | null,
): Promise<void> {
  const target = await creditedWithout(ctx, commission);
  await changeCommission(ctx, held, commission, () => markCommissionVoided(ctx, commission, reason));
  await adjustTo(ctx, held, commission, target);
}

/**
 * Returns the total, in cents, that should stay credited once the commission is voided. If it is an adjustment: the current total without
 * its amount. If it is the commission of a sale, or a manual one: 0, so that its adjustments are taken back as well.
 *
 * If it is superseded, and the sale has earned the affiliate another commission: the current total, because an adjustment has already taken
 * the superseded amount back.
 */
async function creditedWithout(ctx: WriteCtx, commission: Commission): Promise<number> {
  if (commission.kind === 'adjustment') return (await creditedCents(ctx, commission)) - commission.amount_cents;
  return commission.superseded && (await hasSuccessor(ctx, commission)) ? creditedCents(ctx, commission) : 0;
}

/** True if the sale of a superseded commission has earned the same affiliate another commission that is not superseded. */
async function hasSuccessor(ctx: WriteCtx, { sale_id, affiliate_id, currency, kind, rule_id }: Commission): Promise<boolean> {
  const successor = await ctx.db
    .selectFrom('commission')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', sale_id)
    .where('affiliate_id', '=', affiliate_id)
    .where('currency', '=', currency)
    .where('kind', '=', kind)
    .where('rule_id', 'is not distinct from', rule_id)
    .where('superseded', '=', false)
    .executeTakeFirst();
  return successor !== undefined;
}

/** Locks the affiliate of a commission, then the commission itself. Every change of amounts takes these locks in this order. Throws NOT_FOUND. */
async function lockCommission(ctx: WriteCtx, id: string): Promise<{ held: HeldAffiliates; commission: Locked<Commission> }> {
  const { affiliate_id } = await getPlainCommission(ctx, id);
  const held = await lockAffiliate(ctx, affiliate_id);
  return { held, commission: await lock(ctx, Commission, id) };
}

/** True while a dispute of the commission's sale is open. A dispute opens and ends under the lock on the affiliate. */
async function isSaleDisputed(ctx: WriteCtx, { sale_id }: Commission): Promise<boolean> {
  if (sale_id === null) return false;
  return (await get(ctx, Sale, sale_id)).disputed;
}

async function assertNotClaimed(ctx: WriteCtx, commission: Commission, path: string): Promise<void> {
  const payout = await findClaimedPayoutOf(ctx.db, commission.id);
  if (payout) {
    const state = payout.status === 'paid' ? 'paid' : 'being paid';
    throw invalid(path, LEDGER_REASONS.commission_in_payout({ state: STATES[state] }), 'in_payout');
  }
}

/**
 * Creates a manual commission: a bonus or, if the amount is negative, a correction (docs/rules/ledger.md#manual-commissions). The
 * commission is live and has the affiliate's campaign.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate
 */
export async function createManualCommission(ctx: WriteCtx, input: CreateCommission): Promise<CommissionRecord> {
  const { affiliate_id, amount_cents, currency, note, due_at = ctx.now } = input;
  const { campaign_id } = await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  const held = await lockAffiliate(ctx, affiliate_id);
  const commission = await bookCommission(ctx, held, {
    kind: 'manual',
    campaign_id,
    affiliate_id,
    referral_id: null,
    sale_id: null,
    adjusts_commission_id: null,
    amount_cents,
    currency,
    livemode: true,
    basis_points: null,
    due_at,
    review_status: null,
    review_reason: null,
    ...newMerchantColumns(input),
    note,
    created_by: callerId(ctx.principal),
  });
  return getCommission(ctx, commission.id);
}
