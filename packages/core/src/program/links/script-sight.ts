import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';

/** Days for which a site counts as one with the tracking script after the script was last seen there. */
const SIGHT_DAYS = 30;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** An origin on which the tracking script of an account was seen (docs/rules/program.md#links). */
    script_sight: {
      account_id: string;
      origin: string;
      seen_at: Instant;
    };
  }
}

/** Records that the tracking script of an account was seen on an origin. Deletes the account's sights of other origins that no longer count. */
export async function recordScriptSight(
  db: Db,
  { account_id, origin, seen_at }: { account_id: string; origin: string; seen_at: Instant },
): Promise<void> {
  await db
    .insertInto('script_sight')
    .values({ account_id, origin, seen_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'origin']).doUpdateSet({ seen_at }).where('script_sight.seen_at', '<', seen_at),
    )
    .execute();
  await db
    .deleteFrom('script_sight')
    .where('account_id', '=', account_id)
    .where('seen_at', '<', plusDays(seen_at, -SIGHT_DAYS))
    .execute();
}

/** SQL expression: array of the origins on which the tracking script of an account was seen in the last 30 days. */
export function scriptOrigins(accountId: string, now: Instant): RawBuilder<string[]> {
  return sql`array(
    select origin from script_sight where account_id = ${accountId} and seen_at > ${plusDays(now, -SIGHT_DAYS)}::timestamptz)`;
}
