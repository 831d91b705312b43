import { z } from 'zod';
import { expandable } from '../platform/call/expand.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { id } from '../platform/wire/scalars.ts';
import { archiveCampaign, createCampaign, updateCampaign } from '../program/campaigns/campaign.service.ts';
import {
  CampaignId,
  CampaignPage,
  CampaignRecord,
  CreateCampaign,
  getCampaign,
  ListCampaigns,
  listCampaigns,
  UpdateCampaign,
} from '../program/campaigns/campaign.ts';
import { CampaignUsage, loadCampaignUsage } from '../reports/campaign-usage/campaign-usage.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

const campaignExpansions = expandable<CampaignRecord>()({
  usage: { schema: CampaignUsage, load: loadCampaignUsage },
});

const CampaignDetail = z
  .object({ ...CampaignRecord.shape, ...campaignExpansions.output })
  .meta({ id: 'CampaignDetail', description: 'A campaign. On request, includes the numbers of the records that depend on it.' });

/** An archived campaign, with counts of the records that depended on it before it was archived. */
const ArchivedCampaign = z.object({ ...CampaignRecord.shape, usage: CampaignUsage });

const GetCampaign = z.strictObject({ id: id('campaign'), ...campaignExpansions.input });

export const campaignsRouter = router({
  list: rest(read('campaigns'), 'GET /campaigns', {
    summary: 'List campaigns',
    description: 'Returns campaigns that are not archived, or archived ones with `archived=true`, newest first.',
  })
    .input(ListCampaigns)
    .output(CampaignPage)
    .query(({ ctx, input }) => listCampaigns(ctx, input)),

  get: rest(read('campaigns'), 'GET /campaigns/{id}', {
    summary: 'Retrieve a campaign',
    description: 'Also returns archived campaigns.',
  })
    .input(GetCampaign)
    .output(CampaignDetail)
    .query(async ({ ctx, input }) => campaignExpansions.intoOne(ctx, await getCampaign(ctx, input.id), input.expand)),

  timeline: rest(read('campaigns', 'referrals', 'sales', 'commissions'), 'GET /campaigns/{id}/timeline', {
    summary: 'Retrieve the timeline of a campaign',
    description:
      'Returns what happened: referrals and commissions of the campaign, the latest 50 of each kind, with their sales.',
  })
    .input(CampaignId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'campaign', input.id)),

  create: rest(write('campaigns', CreateCampaign), 'POST /campaigns', {
    summary: 'Create a campaign',
    description:
      'Requires `commission_percent` if `reward_type` is `percent`, or `commission_amount_cents` if it is `fixed`. With `default`, replaces the previous default campaign.',
    status: 201,
  })
    .output(CampaignRecord)
    .mutation(({ ctx, input }) => createCampaign(ctx, input)),

  update: rest(write('campaigns', UpdateCampaign), 'PATCH /campaigns/{id}', {
    summary: 'Update a campaign',
    description:
      'Updates the given fields. New terms apply to later sales; existing commissions do not change. `archived_at: null` restores an archived campaign.',
  })
    .output(CampaignRecord)
    .mutation(({ ctx, input }) => updateCampaign(ctx, input)),

  archive: rest(write('campaigns', CampaignId), 'DELETE /campaigns/{id}', {
    summary: 'Archive a campaign',
    description:
      'The campaign’s affiliates stop earning. The campaign is no longer listed, but can still be retrieved. Archiving an archived campaign has no effect.',
    status: 204,
  })
    .output(ArchivedCampaign)
    .mutation(async ({ ctx, input }) => {
      const [usage] = await loadCampaignUsage(ctx, [input]);
      return { ...(await archiveCampaign(ctx, input)), usage: usage! };
    }),
});
