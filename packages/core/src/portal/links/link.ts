import { sql } from 'kysely';
import { z } from 'zod';
import { canEarn } from '../../intake/visits/link-target.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, type PageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant, nameText } from '../../platform/wire/scalars.ts';
import { assertChoosable, lockTokens } from '../../program/links/link-token.ts';
import {
  copyUrl,
  type LinkHome,
  type ParameterType,
  scriptOrigins,
  shareUrl,
  trackingUrl,
} from '../../program/links/link-url.ts';
import { archiveLink, createLink, replaceToken } from '../../program/links/link.service.ts';
import { LinkRecord, ownToken } from '../../program/links/link.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';

const { token, former_token, share_url, tracking_url, copy_url, clicks, visitors, leads, conversions } = LinkRecord.shape;

const label = () => nameText(60);

export const PortalLink = z
  .object({
    id: id('link'),
    url: LinkRecord.shape.url,
    token,
    former_token,
    label: label().nullable().describe('Name that you have given the link. Nobody else sees it.'),
    share_url,
    tracking_url,
    copy_url,
    clicks,
    visitors,
    leads,
    conversions,
    earns: z.boolean().describe('`false` if visits earn nothing, because the campaign or the membership has ended.'),
    created_at: instant(),
  })
  .meta({ id: 'PortalLink', description: 'A link, as its affiliate sees it.' });
export type PortalLink = z.infer<typeof PortalLink>;

export const ListPortalLinks = z.strictObject(pageInput);
export const PortalLinkPage = paginated(PortalLink);

export const CreatePortalLink = z.strictObject({
  url: httpUrl().describe('Page of the campaign’s site that the link leads to.'),
  token: ownToken().optional(),
  label: label().nullable().optional(),
});
export type CreatePortalLink = z.infer<typeof CreatePortalLink>;

export const UpdatePortalLink = z.strictObject({
  id: id('link'),
  token: ownToken().optional().describe('New code, once. The former code goes on to lead to the link.'),
  label: label().nullable().optional(),
});
export type UpdatePortalLink = z.infer<typeof UpdatePortalLink>;

export const CheckPortalCode = z.strictObject({ token: ownToken() });

export const PortalLinkId = z.strictObject({ id: id('link') });

/** Finds the facts on which the addresses of the affiliate's links depend. */
export async function findLinkHome({ mine, publicUrl, affiliate, now }: AffiliateCtx): Promise<LinkHome> {
  const [home] = await mine.rows(
    ['account', 'script_sight'],
    sql<Omit<LinkHome, 'publicUrl'>>`
      select slug as account_slug, portal_host, ${scriptOrigins(affiliate.account_id, now)} as script_origins from account`,
  );
  return { ...home!, publicUrl };
}

/** SQL expression: true if visits of a link that is not archived can earn. Needs `affiliate` and `campaign`. */
export const EARNS = sql<boolean>`${canEarn('affiliate', 'campaign')}`;

/** SQL expression: how lists, figures and files for the affiliate name a link. */
export const LINK_NAME = sql<string>`coalesce(link.label || ' (' || link.token || ')', link.token)`;

interface Counts {
  clicks: number;
  visitors: number;
  leads: number;
  conversions: number;
}

/** Lists the affiliate's links that are not archived, newest first. */
export async function listOwnLinks(ctx: AffiliateCtx, page: PageInput): Promise<Page<PortalLink>> {
  const { mine } = ctx;
  const query = mine('link', 'campaign', 'affiliate').selectFrom('link').where('link.archived_at', 'is', null);
  const { data, pagination } = await paginate(query, page, {
    order: listOrder('-created_at', { table: 'link' }),
    select: (all) =>
      all
        .innerJoin('campaign', 'campaign.id', 'link.campaign_id')
        .innerJoin('affiliate', 'affiliate.id', 'link.affiliate_id')
        .select(COLUMNS),
  });
  return { data: await ownLinks(ctx, data), pagination };
}

/** Returns one of the affiliate's links, even an archived one. Throws NOT_FOUND. */
async function getOwnLink(ctx: AffiliateCtx, id: string): Promise<PortalLink> {
  const row = await ctx
    .mine('link', 'campaign', 'affiliate')
    .selectFrom('link')
    .innerJoin('campaign', 'campaign.id', 'link.campaign_id')
    .innerJoin('affiliate', 'affiliate.id', 'link.affiliate_id')
    .select(COLUMNS)
    .where('link.id', '=', id)
    .executeTakeFirst();
  const [link] = await ownLinks(ctx, [foundOrThrow(row, 'link')]);
  return link!;
}

const COLUMNS = [
  'link.id',
  'link.url',
  'link.token',
  'link.former_token',
  'link.label',
  'link.created_at',
  'campaign.parameter_type',
  sql<boolean>`link.archived_at is null and ${EARNS}`.as('earns'),
] as const;

/** Adds addresses and counts to rows of links. */
async function ownLinks<Row extends { id: string; url: string; token: string; parameter_type: ParameterType }>(
  ctx: AffiliateCtx,
  rows: readonly Row[],
) {
  const counts = await countsOf(
    ctx,
    rows.map(({ id }) => id),
  );
  const linkHome = await findLinkHome(ctx);
  return rows.map(({ parameter_type, ...link }) => ({
    ...link,
    share_url: shareUrl(link.url, link.token, parameter_type),
    tracking_url: trackingUrl(ctx.publicUrl, linkHome.account_slug, link.token),
    copy_url: copyUrl({ ...link, parameter_type }, linkHome),
    ...counts.get(link.id)!,
  }));
}

async function countsOf({ mine }: AffiliateCtx, ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await mine.rows(
    ['referral', 'link_clicks', 'visitor_count'],
    sql<Counts & { id: string }>`
      select link.id,
        coalesce((select sum(clicks) from link_clicks where link_clicks.link_id = link.id), 0) as clicks,
        funnel.referrals + coalesce((select sum(visitors) from visitor_count where visitor_count.link_id = link.id), 0) as visitors,
        funnel.leads, funnel.conversions
      from unnest(${ids}::text[]) as link (id)
      cross join lateral (
        select count(*) as referrals,
          count(*) filter (where conversion_state in ('lead', 'conversion')) as leads,
          count(*) filter (where conversion_state = 'conversion') as conversions
        from referral where referral.link_id = link.id
      ) funnel`,
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

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
