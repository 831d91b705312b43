import { payoutView } from '../../payouts/payouts/payout.queries.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

/** The affiliate's payouts with their eligibility, by the one rule of it. */
export function ownPayouts({ mine, now }: AffiliateCtx) {
  return payoutView({ db: mine('payout', 'affiliate', 'campaign'), now });
}
