import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { BOT_REASONS } from './bots.ts';

const MAX_CLICKS = 50;
/** Maximum age in days of the clicks listed. The list is for trying out an installation, where older clicks are of no use. */
const DAYS = 7;

export const ListRecentClicks = z.strictObject({}).optional();

export const RecentClicks = z.object({
  clicks: z.array(
    z.object({
      at: instant(),
      link_id: id('link'),
      token: z.string().nullable().describe('Null for a link that was deleted.'),
      referral_id: id('referral').nullable(),
      bot_reason: z.enum(BOT_REASONS).nullable().describe('Reason why the request was not made by a person; null for a person.'),
      landing_path: z.string().nullable(),
      referrer_host: z.string().nullable(),
      device: z.string().nullable(),
      browser: z.string().nullable(),
      country: z.string().nullable(),
    }),
  ),
});
type RecentClicks = z.infer<typeof RecentClicks>;

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
