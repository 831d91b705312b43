import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import { findClaimedPayoutOf } from '../../earnings/payout-records/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Decision, HeldCommissions } from './decision.ts';
import { possibleDuplicates } from './duplicates.ts';

/**
 * The sales whose commission is kept out of payouts, because the merchant and the provider seem to have reported the same sale: the reported one, or
 * the provider's when the commission of the reported one is claimed or paid. A pair of which a person reviewed or voided one is settled.
 */
export async function findDuplicates(
  ctx: WriteCtx,
  decisions: ReadonlyMap<string, Decision>,
  held: HeldCommissions,
): Promise<Set<string>> {
  const earning = [...decisions.values()].filter(({ referral, refusal }) => referral !== null && refusal === null);
  const flagged = new Set<string>();
  for (const { reported, told } of possibleDuplicates(earning.map(({ sale }) => sale))) {
    const [ours, theirs] = [held.get(reported.id), held.get(told.id)];
    if ([ours, theirs].some((each) => each !== undefined && isSettled(each))) continue;
    const stands = ours !== undefined && (!ours.isUnpaid() || (await findClaimedPayoutOf(ctx.db, ours.id)) !== null);
    flagged.add(stands ? told.id : reported.id);
  }
  return flagged;
}

function isSettled(commission: Commission): boolean {
  return commission.review_status === 'approved' || (commission.state === 'voided' && !commission.voided_by_refund);
}
