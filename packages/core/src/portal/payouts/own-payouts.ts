import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

/** Starts a query of the affiliate's payouts with their eligibility, as `payoutView` computes it for merchants. */
export function ownPayouts({ mine, now }: AffiliateCtx) {
  return payoutView({ db: mine('payout', 'affiliate', 'campaign'), now });
}
