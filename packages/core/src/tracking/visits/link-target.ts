import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { ParameterType } from '../../program/links/link-url.ts';

interface Destination {
  account_id: string;
  campaign_url: string;
}

/** Destination of a token. `earning`: the link, its affiliate and its campaign are active, so visits are recorded. */
export type LinkTarget =
  | (Destination & { earning: false })
  | (Destination & {
      earning: true;
      id: string;
      url: string;
      token: string;
      affiliate_id: string;
      campaign_id: string;
      parameter_type: ParameterType;
      attribution: 'first_click' | 'last_click';
      days_before_referrals_expire: number;
    });

/** Finds the link with this token, in upper or lower case. An unknown token leads to the account's default campaign, if there is one. */
export async function findTarget(db: Db, token: string, accountId: string | undefined): Promise<LinkTarget | null> {
  const { rows } = await sql<LinkTarget>`
    select link.id, link.account_id, link.url, link.token, link.affiliate_id, link.campaign_id, campaign.parameter_type, campaign.attribution,
      campaign.days_before_referrals_expire,
      campaign.url as campaign_url,
      link.archived_at is null and campaign.archived_at is null and affiliate.archived_at is null and affiliate.state = 'active' as earning
    from link join campaign on campaign.id = link.campaign_id join affiliate on affiliate.id = link.affiliate_id
    where lower(link.token) = ${token.toLowerCase()} and (${accountId ?? null}::text is null or link.account_id = ${accountId ?? null})
    order by link.id limit 1`.execute(db);
  if (rows[0]) return rows[0];
  if (accountId === undefined) return null;
  const fallback = await db
    .selectFrom('campaign')
    .select(['account_id', 'url as campaign_url'])
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  return fallback ? { ...fallback, earning: false } : null;
}
