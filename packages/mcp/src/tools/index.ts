import type { Tool } from '../define-tool.ts';
import { affiliateCoupons, manageAffiliateCoupons } from './affiliate-coupons.ts';
import { affiliatePromoCodes } from './affiliate-promo-codes.ts';
import { affiliates, manageAffiliates } from './affiliates.ts';
import { campaigns, manageCampaigns } from './campaigns.ts';
import { commissions, manageCommissions } from './commissions.ts';
import { explain } from './explain.ts';
import { invitations, manageInvitations } from './invitations.ts';
import { links, manageLinks } from './links.ts';
import { managePayoutExports, payoutExports } from './payout-exports.ts';
import { managePayoutRuns, payoutRuns } from './payout-runs.ts';
import { managePayouts, payouts } from './payouts.ts';
import { programOverview } from './program-overview.ts';
import { manageReferrals, referrals } from './referrals.ts';
import { manageRewards, rewards } from './rewards.ts';
import { manageSales, sales } from './sales.ts';
import { manageTeam, team } from './team.ts';
import { manageWebhooks, webhooks } from './webhooks.ts';

/** All tools, in list order. */
export const TOOLS: readonly Tool[] = [
  programOverview,
  explain,
  affiliates,
  manageAffiliates,
  campaigns,
  manageCampaigns,
  rewards,
  manageRewards,
  links,
  manageLinks,
  referrals,
  manageReferrals,
  sales,
  manageSales,
  commissions,
  manageCommissions,
  payouts,
  managePayouts,
  payoutExports,
  managePayoutExports,
  payoutRuns,
  managePayoutRuns,
  affiliatePromoCodes,
  affiliateCoupons,
  manageAffiliateCoupons,
  invitations,
  manageInvitations,
  webhooks,
  manageWebhooks,
  team,
  manageTeam,
];
