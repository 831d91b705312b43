import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import { Commission, type ReviewReason } from '../ledger/commissions/commission.entity.ts';
import {
  holdLead,
  markCommissionSuperseded,
  REATTRIBUTED,
  reviseLead,
  setRewardContested,
} from '../ledger/commissions/commission.transitions.ts';
import { bookCommission, changeCommission } from '../ledger/earning/book-commission.ts';
import { UNDONE } from '../ledger/earning/milestones.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { protectedRow } from '../platform/call/locks.ts';
import { get } from '../platform/call/records.ts';
import type { LeadFact } from './decide/facts.ts';
import type { LeadReward, LeadVerdict } from './decide/leads.ts';

/** Writes a decision about the rewards for leads. */
export async function applyLeads(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { earned, lost, revised, held: holds, contested }: LeadVerdict,
): Promise<void> {
  for (const { lead, reward } of revised) await revise(ctx, held, lead, reward);
  for (const { id } of lost) {
    const commission = protectedRow(await get(ctx, Commission, id));
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, REATTRIBUTED));
  }
  for (const { lead, hold } of holds) {
    const commission = protectedRow(await get(ctx, Commission, lead.id));
    await changeCommission(ctx, held, commission, () => holdLead(ctx, commission, hold));
  }
  for (const each of contested) setRewardContested(ctx, protectedRow(await get(ctx, Commission, each.lead.id)), each.contested);
  if (earned !== null) await book(ctx, held, earned, earned.reviewReason);
}

/** Changes an unpaid reward. A reward in another currency is a new commission, because the currency of a commission never changes. */
async function revise(ctx: WriteCtx, held: HeldAffiliates, lead: LeadFact, reward: LeadReward | null): Promise<void> {
  const commission = protectedRow(await get(ctx, Commission, lead.id));
  if (reward !== null && reward.pay.currency === lead.currency) {
    const { ruleId, pay, dueAt } = reward;
    return changeCommission(ctx, held, commission, () =>
      reviseLead(ctx, commission, { rule_id: ruleId, amount_cents: pay.amount_cents, due_at: dueAt }),
    );
  }
  await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, UNDONE));
  if (reward !== null) await book(ctx, held, reward, lead.review_reason);
}

function book(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { claim, ruleId, pay, dueAt }: LeadReward,
  reviewReason: ReviewReason | null,
): Promise<Commission> {
  return bookCommission(ctx, held, {
    kind: 'lead',
    campaign_id: claim.campaign_id,
    affiliate_id: claim.affiliate_id,
    referral_id: claim.referral_id,
    sale_id: null,
    adjusts_commission_id: null,
    rule_id: ruleId,
    amount_cents: pay.amount_cents,
    currency: pay.currency,
    livemode: true,
    basis_points: null,
    due_at: dueAt,
    review_status: reviewReason === null ? null : 'suspicious',
    review_reason: reviewReason,
  });
}
