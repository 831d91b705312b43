import { z } from 'zod';
import { expandable } from '../platform/call/expand.ts';
import { id } from '../platform/wire/scalars.ts';
import { CampaignRecord } from '../program/campaigns/campaign.schema.ts';
import { CampaignUsage, loadCampaignUsage } from '../reports/campaign-usage/campaign-usage.ts';

export const campaignExpansions = expandable<CampaignRecord>()({
  usage: { schema: CampaignUsage, load: loadCampaignUsage },
});

export const CampaignDetail = z
  .object({ ...CampaignRecord.shape, ...campaignExpansions.output })
  .meta({ id: 'CampaignDetail', description: 'A campaign. On request, includes the numbers of the records that depend on it.' });

/** An archived campaign, with counts of the records that depended on it before it was archived. */
export const ArchivedCampaign = z.object({ ...CampaignRecord.shape, usage: CampaignUsage });

export const GetCampaign = z.strictObject({ id: id('campaign'), ...campaignExpansions.input });
