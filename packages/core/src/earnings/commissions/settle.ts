import type { WriteCtx } from '../../platform/call/context.ts';
import { shareOf } from '../../platform/money/percent.ts';
import type { Commission } from '../commission-records/commission.entity.ts';
import { markCommissionRefunded, revalueCommission } from '../commission-records/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payout-records/payout.transitions.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { adjustTo, creditedCents } from './adjust.ts';
import { isInCurrencyOf, lockCommissionOfSale } from './earn.ts';
import { changeCommission } from './book-commission.ts';
import { emitCommissions } from './commission.events.ts';

/**
 * Brings the commission of a sale in line with the sale's amount after refunds and amendments (docs/domain-rules.md#refunds). An unpaid commission is revalued, and a
 * full refund voids it; if that refund fails, an adjustment gives the amount back. A commission that is claimed or paid, or that has
 * adjustments, stays as it is, and an adjustment enters the open payout. A percentage of a sale that is now in another currency is left alone: the
 * attribution of the sale replaces it (docs/domain-rules.md#the-same-sale-twice).
 *
 * The caller holds the affiliate's lock, and has flushed the change of the sale.
 */
export async function settleCommission(ctx: WriteCtx, sale: Sale): Promise<void> {
  const commission = await lockCommissionOfSale(ctx, sale.id);
  if (!commission || !isInCurrencyOf(commission, sale)) return;
  const target = amountFor(commission, sale);
  if (commission.state === 'voided') {
    if (commission.voided_by_refund) await reinstate(ctx, commission, target);
    return;
  }
  const claimed = (await findClaimedPayoutOf(ctx.db, commission.id)) !== null;
  const adjusted = (await creditedCents(ctx, commission)) !== commission.amount_cents;
  if (commission.state === 'paid' || claimed || adjusted) {
    await adjustTo(ctx, commission, target);
  } else if (target === 0) {
    await changeCommission(ctx, commission, () => markCommissionRefunded(commission, ctx.now));
    await emitCommissions(ctx, 'commission.voided', [commission.id]);
  } else if (target !== commission.amount_cents) {
    await changeCommission(ctx, commission, () => revalueCommission(commission, target, ctx.now));
  }
}

/**
 * Gives back the amount of a commission that a full refund had voided, because the refund failed or turned out smaller. Voided is final
 * and has been announced, so an adjustment carries the amount, with the due date and the flag of the commission.
 */
async function reinstate(ctx: WriteCtx, commission: Commission, target: number): Promise<void> {
  await adjustTo(ctx, commission, target, {
    dueAt: commission.due_at > ctx.now ? commission.due_at : ctx.now,
    reviewStatus: commission.isFlagged() ? 'suspicious' : null,
    reviewReason: commission.isFlagged() ? commission.review_reason : null,
  });
}

/** A percentage follows the sale's amount; a fixed amount stays until the sale's amount is zero. */
function amountFor(commission: Commission, sale: Sale): number {
  if (commission.basis_points !== null) return shareOf(sale.amountCents(), commission.basis_points);
  return sale.amountCents() === 0 ? 0 : commission.amount_cents;
}
