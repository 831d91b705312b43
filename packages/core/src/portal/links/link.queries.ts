import { sql } from 'kysely';
import { canEarn } from '../../intake/visits/touch-rule.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import { copyUrl, shareUrl, trackingUrl } from '../../program/links/link-url.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { findLinkHome } from './link-home.ts';
import type { PortalLink } from './link.schema.ts';

/** SQL expression: true if visits of a link that is not archived can earn. Needs `affiliate` and `campaign`. */
export const EARNS = sql<boolean>`${canEarn('affiliate', 'campaign')}`;

interface Counts {
  clicks: number;
  visitors: number;
  leads: number;
  conversions: number;
}

/** Lists the affiliate's links that are not archived, newest first. */
export async function listOwnLinks(ctx: AffiliateCtx, page: PageInput): Promise<Page<PortalLink>> {
  const { mine, publicUrl } = ctx;
  const query = mine('link', 'campaign', 'affiliate').selectFrom('link').where('link.archived_at', 'is', null);
  const { data, pagination } = await paginate(query, page, {
    order: listOrder('-created_at', { table: 'link' }),
    select: (all) =>
      all
        .innerJoin('campaign', 'campaign.id', 'link.campaign_id')
        .innerJoin('affiliate', 'affiliate.id', 'link.affiliate_id')
        .select(['link.id', 'link.url', 'link.token', 'link.created_at', 'campaign.parameter_type', EARNS.as('earns')]),
  });
  const counts = await countsOf(
    ctx,
    data.map(({ id }) => id),
  );
  const linkHome = await findLinkHome(ctx);
  return {
    data: data.map(({ parameter_type, ...link }) => ({
      ...link,
      share_url: shareUrl(link.url, link.token, parameter_type),
      tracking_url: trackingUrl(publicUrl, linkHome.account_slug, link.token),
      copy_url: copyUrl({ ...link, parameter_type }, linkHome),
      ...counts.get(link.id)!,
    })),
    pagination,
  };
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
