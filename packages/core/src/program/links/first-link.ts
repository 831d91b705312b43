import type { WriteCtx } from '../../platform/call/context.ts';
import { createLink } from './link.service.ts';

/** Creates a link to the campaign's page for an affiliate who has no link, so that a new affiliate can share a link at once. */
export async function giveFirstLink(ctx: WriteCtx, affiliate: { id: string; campaign_id: string }): Promise<void> {
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('url')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', affiliate.campaign_id)
    .where('archived_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('link').select('id').where('affiliate_id', '=', affiliate.id).where('archived_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst();
  if (campaign) await createLink(ctx, { affiliate_id: affiliate.id, campaign_id: affiliate.campaign_id, url: campaign.url });
}
