import { payoutView } from '../../payouts/payouts/payout.queries.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

/** The affiliate's payouts with their eligibility, by the one rule of it. The view needs no more of a connection than to start a query. */
export function ownPayouts({ mine, now }: AffiliateCtx) {
  return payoutView({ db: mine('payout', 'affiliate', 'campaign') as unknown as Db, now });
}
