/**
 * Holds the commissions of a disputed sale back from payouts, and releases them when the dispute ends (docs/rules/ledger.md#disputes).
 */
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAll } from '../../platform/call/records.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { Commission, isUnpaid } from '../commissions/commission.entity.ts';
import { disputeFlag, markCommissionDisputed, markCommissionReleased } from '../commissions/commission.transitions.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { changeCommission } from './book-commission.ts';

/**
 * Flags the unpaid commission and the unpaid positive adjustments of a disputed sale, even in a claimed payout, because the payout is not
 * paid yet. Clawbacks are not flagged. If no dispute is open, releases what a dispute has flagged. Changes only records of the sale's
 * affiliate.
 */
export async function updateDisputeFlags(ctx: WriteCtx, held: HeldAffiliates, sale: Sale): Promise<void> {
  if (sale.affiliate_id === null) return;
  const own = commissions(ctx).where('sale_id', '=', sale.id).where('affiliate_id', '=', sale.affiliate_id);
  if (!sale.disputed) return release(ctx, held, own);
  for (const commission of await lockAll(ctx, Commission, own)) {
    const flag = isUnpaid(commission) && !commission.superseded ? disputeFlag(commission) : null;
    if (flag !== null) await changeCommission(ctx, held, commission, () => markCommissionDisputed(ctx, commission, flag));
  }
}

/** Releases a commission that a dispute has flagged, and its adjustments. */
export function releaseFromDispute(ctx: WriteCtx, held: HeldAffiliates, { id }: Commission): Promise<void> {
  return release(
    ctx,
    held,
    commissions(ctx).where((is) => is.or([is('id', '=', id), is('adjusts_commission_id', '=', id)])),
  );
}

/** Releases commissions that a dispute has flagged, and forgets that a person approved them despite the dispute. */
async function release(ctx: WriteCtx, held: HeldAffiliates, all: ReturnType<typeof commissions>): Promise<void> {
  for (const commission of await lockAll(ctx, Commission, all.where('review_reason', '=', 'dispute'))) {
    if (isUnpaid(commission)) await changeCommission(ctx, held, commission, () => markCommissionReleased(ctx, commission));
    else markCommissionReleased(ctx, commission);
  }
}

function commissions({ db, accountId }: WriteCtx) {
  return db.selectFrom('commission').selectAll().where('account_id', '=', accountId).orderBy('id');
}
