import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { LinkRecord } from '../../program/links/link.schema.ts';
import { archiveLink, createLink } from '../../program/links/link.service.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import type { CreatePortalLink, PortalLink } from './link.schema.ts';

/**
 * Creates a link of the affiliate in the affiliate's campaign.
 *
 * @throws VALIDATION_ERROR for a destination outside the campaign's site, and for a token that is taken; FORBIDDEN while the affiliate has not
 *   accepted the current terms
 */
export async function createOwnLink(ctx: AffiliateWriteCtx, { url, token }: CreatePortalLink): Promise<PortalLink> {
  await assertTermsAccepted(ctx);
  const campaign = foundOrThrow(
    await ctx
      .mine('affiliate', 'campaign')
      .selectFrom('affiliate')
      .innerJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
      .select(['campaign.id', 'campaign.url'])
      .executeTakeFirst(),
    'campaign',
  );
  if (!isOnSite(url, campaign.url)) {
    const { host } = new URL(campaign.url);
    throw invalid('url', PORTAL_REASONS.foreign_host({ host }), 'foreign_host');
  }
  return portalLink(
    await createLink(ctx.tx, {
      affiliate_id: ctx.affiliate.id,
      campaign_id: campaign.id,
      url,
      ...(token === undefined ? {} : { token }),
    }),
  );
}

/** Archives a link. Throws NOT_FOUND when the link does not exist or belongs to another affiliate. */
export async function archiveOwnLink(ctx: AffiliateWriteCtx, { id }: { id: string }): Promise<PortalLink> {
  foundOrThrow(await ctx.mine('link').selectFrom('link').select('id').where('id', '=', id).executeTakeFirst(), 'link');
  return portalLink(await archiveLink(ctx.tx, { id }));
}

/**
 * True if a destination is on the host of the campaign's site or on a subdomain of that host. Without this rule, an affiliate could use the
 * merchant's name to send visitors to any page.
 */
function isOnSite(url: string, site: string): boolean {
  const [host, allowed] = [new URL(url).hostname, new URL(site).hostname.replace(/^www\./, '')];
  return host === allowed || host.endsWith(`.${allowed}`);
}

function portalLink({
  affiliate_id: _,
  campaign_id: _campaign,
  archived_at,
  updated_at: _updated,
  ...link
}: LinkRecord): PortalLink {
  return { ...link, earns: archived_at === null };
}
