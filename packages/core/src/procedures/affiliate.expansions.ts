import { z } from 'zod';
import { LeftBehind } from '../attribution/change-affiliate.ts';
import { findAffiliateCoupons } from '../codes/affiliate-coupons/affiliate-coupon.queries.ts';
import { AffiliateCouponRecord } from '../codes/affiliate-coupons/affiliate-coupon.schema.ts';
import { findOutlooks } from '../ledger/payouts/payment-outlook.queries.ts';
import { PaymentOutlook } from '../ledger/payouts/payment-outlook.schema.ts';
import { byId, expandable, toOne } from '../platform/call/expand.ts';
import { pageInput, paginated } from '../platform/wire/pagination.ts';
import { id } from '../platform/wire/scalars.ts';
import { affiliateFilters, affiliateOrder, PlainAffiliate } from '../program/affiliates/affiliate.ts';
import { CAMPAIGN, CampaignRecord } from '../program/campaigns/campaign.ts';
import { findLinksOfAffiliates, LinkRecord } from '../program/links/link.ts';
import { findSharedAccounts } from '../program/payout-methods/payout-addresses.ts';
import { SharedAccount } from '../program/payout-methods/payout-method.schema.ts';
import { CommissionStats, loadCommissionStats } from '../reports/affiliate-stats/affiliate-stats.ts';
import { findTiersOfAffiliates } from '../rewards/tiers/tier.queries.ts';
import { AffiliateTier } from '../rewards/tiers/tier.schema.ts';

export const affiliateExpansions = expandable<PlainAffiliate>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
  links: { schema: z.array(LinkRecord), load: findLinksOfAffiliates },
  coupon: { schema: AffiliateCouponRecord, load: byId((affiliate) => affiliate.id, findAffiliateCoupons) },
  tiers: { schema: z.array(AffiliateTier), load: findTiersOfAffiliates },
  commission_stats: { schema: CommissionStats, load: loadCommissionStats },
  outlook: { schema: z.array(PaymentOutlook), load: findOutlooks },
  shared_accounts: {
    schema: z.array(SharedAccount),
    load: (ctx, rows) =>
      findSharedAccounts(
        ctx,
        rows.map(({ id }) => id),
      ),
  },
});

export const AffiliateRecord = z
  .object({
    ...PlainAffiliate.shape,
    ...affiliateExpansions.output,
    left_behind: LeftBehind.optional().describe('Only in the answer to a change of `campaign_id`, and in its preview.'),
  })
  .meta({ id: 'Affiliate', description: 'A partner who promotes a campaign and earns commissions.' });
export type AffiliateRecord = z.infer<typeof AffiliateRecord>;

export const GetAffiliate = z.strictObject({ id: id('affiliate'), ...affiliateExpansions.input });

export const ListAffiliates = z.strictObject({
  ...pageInput,
  ...affiliateOrder,
  ...affiliateExpansions.input,
  ...affiliateFilters,
});
export type ListAffiliates = z.infer<typeof ListAffiliates>;

export const AffiliatePage = paginated(AffiliateRecord);
