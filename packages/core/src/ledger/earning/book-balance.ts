import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { bookCommission } from './book-commission.ts';

/** An amount that goes into the open payout of an affiliate or, if it is negative, out of it. */
interface Balance {
  affiliate_id: string;
  campaign_id: string;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  /** Reason, for the merchant and the affiliate. */
  note: string;
}

/** Books an amount that moves from one payout to another as a manual commission. The caller books its counterpart, so that the sum stays the same. */
export async function bookBalance(ctx: WriteCtx, held: HeldAffiliates, balance: Balance): Promise<void> {
  await bookCommission(ctx, held, {
    ...balance,
    kind: 'manual',
    referral_id: null,
    sale_id: null,
    adjusts_commission_id: null,
    basis_points: null,
    due_at: ctx.now,
    review_status: null,
    review_reason: null,
    created_by: callerId(ctx.principal),
  });
}
