import type { WriteCtx } from '../platform/call/context.ts';
import type { Locked } from '../platform/call/locks.ts';
import { lockAll } from '../platform/call/records.ts';
import { invalid, noSuch } from '../platform/errors/errors.ts';
import { Campaign, isActive } from '../program/campaigns/campaign.entity.ts';
import { PROGRAM_REASONS } from '../program/reasons.ts';

/** Locks the campaign that the field `campaign_id` names. Throws VALIDATION_ERROR if there is none, or if it is archived. */
export async function lockNamedCampaign(ctx: WriteCtx, id: string): Promise<Locked<Campaign>> {
  const campaigns = ctx.db.selectFrom('campaign').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
  const [campaign] = await lockAll(ctx, Campaign, campaigns);
  if (campaign === undefined) throw invalid('campaign_id', noSuch('campaign'), 'not_found');
  if (!isActive(campaign)) throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
  return campaign;
}
