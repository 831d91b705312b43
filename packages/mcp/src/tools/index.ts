import type { Tool } from '../define-tool.ts';
import { affiliateCoupons } from './affiliate-coupons.ts';
import { affiliatePromoCodes } from './affiliate-promo-codes.ts';
import { affiliates } from './affiliates.ts';
import { campaigns } from './campaigns.ts';
import { commissions } from './commissions.ts';
import { invitations } from './invitations.ts';
import { links } from './links.ts';
import { payoutExports } from './payout-exports.ts';
import { payoutRuns } from './payout-runs.ts';
import { payouts } from './payouts.ts';
import { programOverview } from './program-overview.ts';
import { referrals } from './referrals.ts';

/** All tools, in list order. */
export const TOOLS: readonly Tool[] = [
  programOverview,
  affiliates,
  campaigns,
  links,
  referrals,
  commissions,
  payouts,
  payoutExports,
  payoutRuns,
  affiliatePromoCodes,
  affiliateCoupons,
  invitations,
];
