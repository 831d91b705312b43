import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Touch } from './touch.schema.ts';

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
