/**
 * Creates and changes commissions together with the open payout of their affiliate. The caller holds the affiliate's lock.
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Commission } from '../commission-records/commission.entity.ts';
import type { CommissionState } from '../commission-records/commission.states.ts';
import { type CommissionTerms, createCommission, isPayable } from '../commission-records/commission.transitions.ts';
import { collectCommissions, removeCommissions } from '../payout-records/payout.transitions.ts';
import { type CommissionEventType, emitCommission, emitCommissions } from './commission.events.ts';

/** Creates a commission, adds it to the open payout if it is payable, and emits `commission.created`; `commission.due` too, if it is due. */
export async function bookCommission(ctx: WriteCtx, terms: CommissionTerms): Promise<Commission> {
  const commission = createCommission(ctx, terms);
  const types: readonly CommissionEventType[] =
    commission.state === 'due' ? ['commission.created', 'commission.due'] : ['commission.created'];
  await ctx.em.flush();
  if (isPayable(commission)) {
    await collectCommissions(ctx.db, ctx.now, [commission.id]);
    await emitCommissions(ctx, types, [commission.id]);
  } else {
    await emitCommission(ctx, types, commission);
  }
  return commission;
}

/**
 * Changes a commission that no claimed or paid payout holds: it leaves its open payout at its old amount, and joins again at the new one
 * if it is still payable.
 */
export async function changeCommission(ctx: WriteCtx, commission: Commission, change: () => void): Promise<void> {
  await removeCommissions(ctx.db, ctx.now, [commission.id]);
  change();
  await ctx.em.flush();
  if (isPayable(commission)) await collectCommissions(ctx.db, ctx.now, [commission.id]);
}

/** Emits `commission.due` for a commission that changes made due: from pending, or from paid when the payment is taken back. */
export async function announceIfDue(ctx: WriteCtx, commission: Commission, before: CommissionState): Promise<void> {
  if (before !== 'due' && commission.state === 'due') await emitCommissions(ctx, 'commission.due', [commission.id]);
}
