import type { WriteCtx } from '../../platform/call/context.ts';
import { attachToOpenPayouts, detachFromOpenPayouts } from '../payout-records/open-payout.ts';
import type { Commission } from './commission.entity.ts';

/**
 * Changes a commission and keeps its open payout in step: it leaves the payout as it was, and joins again as it is, if it may
 * still be paid. The caller holds the affiliate's lock, and has made sure that no claimed or paid payout holds the commission.
 */
export async function changeCommission(ctx: WriteCtx, commission: Commission, change: () => void): Promise<void> {
  await detachFromOpenPayouts(ctx.db, ctx.now, [commission.id]);
  change();
  await ctx.em.flush();
  await attachToOpenPayouts(ctx.db, ctx.now, [commission.id]);
}
