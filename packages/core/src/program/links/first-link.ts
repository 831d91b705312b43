import type { WriteCtx } from '../../platform/call/context.ts';
import { refusalOfToken } from './link-token.ts';
import { createLink } from './link.service.ts';

/**
 * Creates a link to the campaign's page for an affiliate who has no link, so that a new affiliate can share a link at once.
 *
 * @param token token that the affiliate has chosen. Somebody else may have taken it since; the token is then made from the name
 */
export async function giveFirstLink(
  ctx: WriteCtx,
  affiliate: { id: string; campaign_id: string },
  token: string | null = null,
): Promise<void> {
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
  if (!campaign) return;
  const chosen = token !== null && (await refusalOfToken(ctx, token, { affiliateId: affiliate.id })) === null ? { token } : {};
  await createLink(ctx, { affiliate_id: affiliate.id, campaign_id: affiliate.campaign_id, url: campaign.url, ...chosen });
}
