import { deeper, expandable, toOne } from '../../platform/call/expand.ts';
import { CAMPAIGN } from '../campaigns/campaign.queries.ts';
import { CampaignRecord } from '../campaigns/campaign.schema.ts';
import { AFFILIATE } from './affiliate.queries.ts';
import { PlainAffiliate } from './affiliate.schema.ts';

const partsOfAffiliate = expandable<PlainAffiliate>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
});

/** The expansion to the affiliate of a record, whose campaign can be expanded as well. */
export const toAffiliate = {
  ...toOne('affiliate_id', AFFILIATE),
  ...deeper(PlainAffiliate, partsOfAffiliate, {
    id: 'AffiliateOfRecord',
    description: 'The affiliate of a record, on request with the campaign.',
  }),
};
