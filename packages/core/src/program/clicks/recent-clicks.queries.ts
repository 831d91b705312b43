import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { plusDays } from '../../platform/time/instant.ts';
import type { RecentClicks } from './recent-clicks.schema.ts';

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
