/**
 * Creates and changes commissions together with the open payout of their affiliate.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import type { Commission } from '../commissions/commission.entity.ts';
import type { CommissionState } from '../../platform/wire/states.ts';
import { type CommissionTerms, createCommission, isPayable } from '../commissions/commission.transitions.ts';
import { collectCommissions, removeCommissions } from '../payouts/payout.transitions.ts';
import { type CommissionEventType, emitCommission, emitCommissions } from '../commissions/commission-events.ts';

/**
 * Creates a commission, and adds it to the open payout if it is payable. Emits `commission.created`, and `commission.due` if the commission
 * is due.
 */
export async function bookCommission(ctx: WriteCtx, held: HeldAffiliates, terms: CommissionTerms): Promise<Locked<Commission>> {
  const commission = createCommission(ctx, terms);
  foldCountsSoon(ctx);
  const types: readonly CommissionEventType[] =
    commission.state === 'due' ? ['commission.created', 'commission.due'] : ['commission.created'];
  if (isPayable(commission)) {
    await collectCommissions(ctx.db, held, ctx.now, [commission.id]);
    await emitCommissions(ctx, types, [commission.id]);
  } else {
    await emitCommission(ctx, types, commission);
  }
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
  await removeCommissions(ctx.db, held, ctx.now, [commission.id]);
  change();
  foldCountsSoon(ctx);
  if (isPayable(commission)) await collectCommissions(ctx.db, held, ctx.now, [commission.id]);
}

/** Has the counts of commissions updated after the commit. */
export function foldCountsSoon({ services, afterCommit }: WriteCtx): void {
  afterCommit(() => services.jobs.send('commission_counts'));
}

/** Emits `commission.due` if the commission is due now. Emits nothing if it was due already, before the change (`before`). */
export async function announceIfDue(ctx: WriteCtx, commission: Commission, before: CommissionState): Promise<void> {
  if (before !== 'due' && commission.state === 'due') await emitCommissions(ctx, 'commission.due', [commission.id]);
}
