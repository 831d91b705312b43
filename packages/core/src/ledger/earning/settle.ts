import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { type Commission, isFlagged } from '../commissions/commission.entity.ts';
import { markCommissionRefunded, revalueCommission, revalueCommissionLines } from '../commissions/commission.transitions.ts';
import { findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { adjustTo, changeCommission, creditedCents } from './book-commission.ts';
import { isInCurrencyOf, lockCommissionsOfSale, lockRestored } from './earn.ts';
import { worthNow } from './worth.ts';

/**
 * Adapts the commission of a sale, and its bonuses, to the sale's amount after refunds and amendments (docs/rules/ledger.md#refunds). An unpaid commission
 * gets the new amount, and a full refund voids it. If that refund fails later, an adjustment gives the amount back, which further refunds reduce or void in
 * turn. A commission that is claimed or paid, or that has adjustments, stays as it is, and the difference becomes an adjustment. Does nothing for a percentage
 * commission if the currency of the sale has changed, because the attribution of the sale replaces that commission
 * (docs/rules/intake.md#the-same-sale-twice).
 */
export async function settleCommission(ctx: WriteCtx, held: HeldAffiliates, sale: Locked<Sale>): Promise<void> {
  // The paid bonus of an affiliate who has lost the sale stays as it is.
  for (const commission of (await lockCommissionsOfSale(ctx, sale.id)).filter(
    ({ affiliate_id }) => affiliate_id === sale.affiliate_id,
  ))
    if (isInCurrencyOf(commission, sale)) await settleOne(ctx, held, sale, commission);
}

async function settleOne(ctx: WriteCtx, held: HeldAffiliates, sale: Locked<Sale>, commission: Locked<Commission>): Promise<void> {
  const { terms, amount } = await worthNow(ctx, commission, sale);
  const target = amount.cents;
  if (commission.lines_currency !== null) revalueCommissionLines(ctx, commission, terms, amount);
  if (commission.state === 'voided') {
    if (!commission.voided_by_refund) return;
    const excess = (await creditedCents(ctx, commission)) - target;
    if (excess > 0) await takeBack(ctx, held, sale, commission, { target, excess });
    else await reinstate(ctx, held, commission, { target, isDisputed: sale.disputed });
    return;
  }
  const claimed = (await findClaimedPayoutOf(ctx.db, commission.id)) !== null;
  const credited = await creditedCents(ctx, commission);
  if (commission.state === 'paid' || claimed || credited !== commission.amount_cents) {
    // While a dispute is open, money that is given back is held like the commission itself.
    const isHeld = sale.disputed && target > credited;
    await adjustTo(ctx, held, commission, target, isHeld ? { dueAt: ctx.now, ...HELD } : undefined);
  } else if (target === 0) {
    await changeCommission(ctx, held, commission, () => markCommissionRefunded(ctx, commission, sale));
  } else if (target !== commission.amount_cents) {
    await changeCommission(ctx, held, commission, () => revalueCommission(ctx, commission, target));
  }
}

/**
 * Gives back the amount of a commission that a full refund voided, because the refund failed or turned out smaller. A voided commission
 * stays voided, because its event has been emitted. An adjustment gives the amount back instead, flagged if the commission is or if a dispute
 * is open, and due no earlier than the commission.
 */
async function reinstate(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  { target, isDisputed }: { target: number; isDisputed: boolean },
): Promise<void> {
  const isDoubtful = isFlagged(commission) && commission.review_reason !== 'dispute';
  await adjustTo(ctx, held, commission, target, {
    dueAt: commission.due_at > ctx.now ? commission.due_at : ctx.now,
    ...(isDisputed
      ? HELD
      : {
          reviewStatus: isDoubtful ? 'suspicious' : null,
          reviewReason: isDoubtful ? commission.review_reason : null,
        }),
  });
}

/**
 * Takes back what had been given back of a commission that a refund voided. The unpaid adjustments that gave it back become less, so that a flag holds no more
 * than what is left. What was claimed or paid of it becomes an adjustment.
 */
async function takeBack(
  ctx: WriteCtx,
  held: HeldAffiliates,
  sale: Locked<Sale>,
  commission: Locked<Commission>,
  { target, excess }: { target: number; excess: number },
): Promise<void> {
  let left = excess;
  for (const restored of (await lockRestored(ctx, [commission])).toReversed()) {
    if (left === 0) return;
    if ((await findClaimedPayoutOf(ctx.db, restored.id)) !== null) continue;
    const kept = Math.max(0, restored.amount_cents - left);
    left -= restored.amount_cents - kept;
    await changeCommission(ctx, held, restored, () =>
      kept === 0 ? markCommissionRefunded(ctx, restored, sale) : revalueCommission(ctx, restored, kept),
    );
  }
  await adjustTo(ctx, held, commission, target);
}

const HELD = { reviewStatus: 'suspicious', reviewReason: 'dispute' } as const;
