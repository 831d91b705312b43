import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getCampaign, listCampaigns } from '../program/campaigns/campaign.queries.ts';
import {
  CampaignId,
  CampaignPage,
  CampaignRecord,
  CreateCampaign,
  ListCampaigns,
  UpdateCampaign,
} from '../program/campaigns/campaign.schema.ts';
import { archiveCampaign, createCampaign, updateCampaign } from '../program/campaigns/campaign.service.ts';

export const campaignsRouter = router({
  list: read('campaigns')
    .meta(rest('GET', '/campaigns', { summary: 'List campaigns', description: 'Campaigns that are not archived, newest first.' }))
    .input(ListCampaigns)
    .output(CampaignPage)
    .query(({ ctx, input }) => listCampaigns(ctx, input)),

  get: read('campaigns')
    .meta(rest('GET', '/campaigns/{id}', { summary: 'Get a campaign', description: 'Archived campaigns can still be read.' }))
    .input(CampaignId)
    .output(CampaignRecord)
    .query(({ ctx, input }) => getCampaign(ctx, input.id)),

  create: write('campaigns', CreateCampaign)
    .meta(
      rest('POST', '/campaigns', {
        summary: 'Create a campaign',
        description:
          'With `reward_type` percent, `commission_percent` is required; with fixed, `commission_amount_cents`. Making it the default takes that from the former default.',
        status: 201,
      }),
    )
    .output(CampaignRecord)
    .mutation(({ ctx, input }) => createCampaign(ctx, input)),

  update: write('campaigns', UpdateCampaign)
    .meta(
      rest('PATCH', '/campaigns/{id}', {
        summary: 'Change a campaign',
        description: 'Changes the fields given. New terms apply to sales from now on; commissions already earned keep theirs.',
      }),
    )
    .output(CampaignRecord)
    .mutation(({ ctx, input }) => updateCampaign(ctx, input)),

  archive: write('campaigns', CampaignId)
    .meta(
      rest('DELETE', '/campaigns/{id}', {
        summary: 'Archive a campaign',
        description: 'It leaves the lists, stays readable by id, and earns nothing any more. Archiving it again changes nothing.',
        status: 204,
      }),
    )
    .output(CampaignRecord)
    .mutation(({ ctx, input }) => archiveCampaign(ctx, input)),
});
