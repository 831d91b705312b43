/**
 * Creates and changes commissions together with the open payout of their affiliate.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import {
  type CommissionLines,
  type CommissionTerms,
  createCommission,
  isPayable,
} from '../commissions/commission.transitions.ts';
import { collectCommissions, removeCommissions } from '../payouts/payout.transitions.ts';

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
