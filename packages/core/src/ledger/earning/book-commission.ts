/**
 * Creates and changes commissions together with the open payout of their affiliate.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import {
  type Balance,
  type CommissionLines,
  type CommissionTerms,
  createBalances,
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
