import { LockMode } from '@mikro-orm/core';
import type { WriteCtx } from '../../platform/call/context.ts';
import { shareOf } from '../../platform/money/percent.ts';
import { payoutOf } from '../payout-records/open-payout.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { adjustTo, creditedCents } from './adjust.ts';
import { changeCommission } from './change.ts';
import { Commission } from './commission.entity.ts';
import { emitCommissions } from './commission.events.ts';

/**
 * Brings the commission of a sale in line with what is left of the sale after refunds (docs/domain-rules.md#refunds). Unpaid:
 * its amount follows, and a full refund voids it; should that refund fail, an adjustment gives the amount back. Claimed or paid, or
 * adjusted when it was: it stands, and an adjustment goes into the open payout.
 *
 * The caller holds the affiliate's lock, and has written the refund to the sale.
 */
export async function settleCommission(ctx: WriteCtx, sale: Sale): Promise<void> {
  const commission = await ctx.em.findOne(
    Commission,
    { sale_id: sale.id, kind: 'sale' },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!commission) return;
  const target = amountFor(commission, sale);
  if (commission.state === 'voided') {
    if (commission.voided_by_refund) await reinstate(ctx, commission, target);
    return;
  }
  const payout = await payoutOf(ctx.db, commission.id);
  const claimed = payout !== null && payout.status !== 'open';
  const adjusted = (await creditedCents(ctx, sale.id)) !== commission.amount_cents;
  if (commission.state === 'paid' || claimed || adjusted) {
    await adjustTo(ctx, commission, target);
  } else if (target === 0) {
    await changeCommission(ctx, commission, () => commission.voidAsRefunded(ctx.now));
    await emitCommissions(ctx, 'commission.voided', [commission.id]);
  } else if (target !== commission.amount_cents) {
    await changeCommission(ctx, commission, () => commission.revalue(target, ctx.now));
  }
}

/**
 * A refund that had voided the commission failed, or was smaller after all. Voided is final, and was announced: what is owed again is an
 * adjustment, on the terms of the commission it stands for.
 */
async function reinstate(ctx: WriteCtx, commission: Commission, target: number): Promise<void> {
  await adjustTo(ctx, commission, target, {
    dueAt: commission.due_at > ctx.now ? commission.due_at : ctx.now,
    reviewStatus: commission.isFlagged() ? 'suspicious' : null,
  });
}

/** A percentage follows the sale; a fixed amount stands until nothing is left of the sale. */
function amountFor(commission: Commission, sale: Sale): number {
  if (commission.basis_points !== null) return shareOf(sale.amountCents(), commission.basis_points);
  return sale.amountCents() === 0 ? 0 : commission.amount_cents;
}
