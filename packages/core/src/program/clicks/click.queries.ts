import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { plusDays } from '../../platform/time/instant.ts';
import type { RecentClicks, Touch } from './click.schema.ts';

const MAX_CLICKS = 50;
/** Maximum age in days of the clicks listed. The list is for trying out an installation, where older clicks are of no use. */
const DAYS = 7;

/** Lists the latest clicks and visits of the last week, including those of bots, newest first. */
export async function listRecentClicks({ db, accountId, now }: Ctx): Promise<RecentClicks> {
  const since = plusDays(now, -DAYS);
  const { rows } = await sql<RecentClicks['clicks'][number]>`
    select click.at, click.link_id, link.token, click.referral_id, click.bot_reason, click.landing_path, click.referrer_host, click.device,
      click.browser, click.country
    from (
      select * from click
      where account_id = ${accountId} and day >= ${since.slice(0, 10)}::date and at >= ${since}::timestamptz
      order by at desc limit ${MAX_CLICKS}
    ) click
    left join link on link.id = click.link_id
    order by click.at desc`.execute(db);
  return { clicks: rows };
}

/** Maximum number of touches per referral. The latest ones are returned. */
const MAX_TOUCHES = 100;

/**
 * Returns the clicks of each referral, oldest first: the click that gave the visitor the referral, and later clicks after which the
 * visitor still had it (docs/rules/program.md#clicks).
 */
export async function findTouches({ db, accountId }: Ctx, referrals: readonly { id: string }[]): Promise<Touch[][]> {
  const { rows } = await sql<Touch & { referral_id: string }>`
    select touch.* from unnest(${referrals.map(({ id }) => id)}::text[]) as wanted (id)
    cross join lateral (
      select referral_id, at, link_id, affiliate_id, campaign_id, rule, is_unique, referrer_host, referrer_path, landing_path, utm_source,
        utm_medium, utm_campaign, device, browser, os, country
      from click where referral_id = wanted.id and account_id = ${accountId} order by at desc limit ${MAX_TOUCHES}
    ) touch
    order by touch.at`.execute(db);
  const touchesOf = Map.groupBy(rows, ({ referral_id }) => referral_id);
  return referrals.map(({ id }) => (touchesOf.get(id) ?? []).map(({ referral_id: _, ...touch }) => touch));
}
