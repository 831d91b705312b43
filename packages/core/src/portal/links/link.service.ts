import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { assertChoosable, lockTokens } from '../../program/links/link-token.ts';
import { archiveLink, createLink, replaceToken } from '../../program/links/link.service.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import { getOwnLink } from './link.queries.ts';
import type { CreatePortalLink, PortalLink, UpdatePortalLink } from './link.schema.ts';

/** Maximum number of links with which an affiliate can make another one in the portal. Archived ones count, because they keep their tokens from others. */
const MAX_LINKS = 200;

/**
 * Creates a link of the affiliate in the affiliate's campaign.
 *
 * @throws VALIDATION_ERROR for a destination outside the campaign's site, for a token that the affiliate may not choose, and with `MAX_LINKS` links;
 *   FORBIDDEN while the affiliate has not accepted the current terms
 */
export async function createOwnLink(ctx: AffiliateWriteCtx, { url, token, label }: CreatePortalLink): Promise<PortalLink> {
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
  await lockTokens(ctx.tx);
  const links = ctx.mine('link').selectFrom('link').select('id').limit(MAX_LINKS);
  if ((await links.execute()).length >= MAX_LINKS)
    throw invalid('url', PORTAL_REASONS.too_many_links({ max: MAX_LINKS }), 'too_many');
  if (token !== undefined) await assertChoosable(ctx.tx, token, { affiliateId: ctx.affiliate.id, path: 'token' });
  const { id } = await createLink(ctx.tx, {
    affiliate_id: ctx.affiliate.id,
    campaign_id: campaign.id,
    url,
    ...(token === undefined ? {} : { token }),
  });
  if (label !== undefined) await setLabel(ctx, id, label);
  return getOwnLink(ctx, id);
}

/**
 * Changes the label of a link, and its token once.
 *
 * @throws NOT_FOUND for an archived link and for that of another affiliate; VALIDATION_ERROR for a token that the affiliate may not choose, and for the
 *   second change; FORBIDDEN while the affiliate has not accepted the current terms
 */
export async function updateOwnLink(ctx: AffiliateWriteCtx, { id, token, label }: UpdatePortalLink): Promise<PortalLink> {
  await assertTermsAccepted(ctx);
  await assertOwn(ctx, id);
  if (token !== undefined) await replaceToken(ctx.tx, { id, token });
  if (label !== undefined) await setLabel(ctx, id, label);
  return getOwnLink(ctx, id);
}

/** Archives a link. Throws NOT_FOUND when the link does not exist or belongs to another affiliate. */
export async function archiveOwnLink(ctx: AffiliateWriteCtx, { id }: { id: string }): Promise<PortalLink> {
  await assertOwn(ctx, id);
  await archiveLink(ctx.tx, { id });
  return getOwnLink(ctx, id);
}

async function assertOwn({ mine }: AffiliateWriteCtx, id: string): Promise<void> {
  const own = mine('link').selectFrom('link').select('id').where('id', '=', id).where('archived_at', 'is', null);
  foundOrThrow(await own.executeTakeFirst(), 'link');
}

/** Sets the label, of which the merchant is not told: only the affiliate sees it. */
async function setLabel({ tx }: AffiliateWriteCtx, id: string, label: string | null): Promise<void> {
  await tx.db.updateTable('link').set({ label }).where('account_id', '=', tx.accountId).where('id', '=', id).execute();
}

/**
 * True if a destination is on the host of the campaign's site or on a subdomain of that host. Without this rule, an affiliate could use the
 * merchant's name to send visitors to any page.
 */
function isOnSite(url: string, site: string): boolean {
  const [host, allowed] = [new URL(url).hostname, new URL(site).hostname.replace(/^www\./, '')];
  return host === allowed || host.endsWith(`.${allowed}`);
}
