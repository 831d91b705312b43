import { sql } from 'kysely';
import { canEarn } from '../../intake/visits/link-target.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import { copyUrl, type LinkHome, type ParameterType, shareUrl, trackingUrl } from '../../program/links/link-url.ts';
import { scriptOrigins } from '../../program/links/script-sight.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { PortalLink } from './link.schema.ts';

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
export async function getOwnLink(ctx: AffiliateCtx, id: string): Promise<PortalLink> {
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
