import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { TOUCH_RULES } from '../../platform/wire/states.ts';
import { BOT_REASONS } from './bots.ts';

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
export type RecentClicks = z.infer<typeof RecentClicks>;

const RULES = `\`new_visitor\`: the click started the referral; \`first_click\`: the visitor kept the live referral that they had;
\`last_click\`: the campaign uses the last click, so the click started a new referral in place of the former one;
\`former_not_live\`: the visitor's former referral had expired, was deactivated, or could not earn.`.replaceAll('\n', ' ');

export const Touch = z
  .object({
    at: z.string(),
    link_id: id('link').describe('Link that was clicked. With `first_click`, it may be another affiliate’s link.'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    rule: z.enum(TOUCH_RULES).describe(RULES),
    is_unique: z.boolean().describe('First click of the visitor on this link and day (UTC).'),
    referrer_host: z.string().nullable(),
    referrer_path: z.string().nullable(),
    landing_path: z.string().nullable(),
    utm_source: z.string().nullable(),
    utm_medium: z.string().nullable(),
    utm_campaign: z.string().nullable(),
    device: z.string().nullable(),
    browser: z.string().nullable(),
    os: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ id: 'Touch', description: 'A click that started this referral, or after which the visitor kept it.' });
export type Touch = z.infer<typeof Touch>;

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
