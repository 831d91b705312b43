import { type RawBuilder, sql } from 'kysely';
import { IS_PERSON } from '../../identity/affiliations/affiliations.ts';
import type { Db } from '../../platform/db/database.ts';

/** Condition: the person who is the affiliate in a row of `affiliate` has a second factor. */
export const HAS_SECOND_FACTOR: RawBuilder<boolean> = sql`exists (
  select from auth_user where auth_user.has_second_factor and ${IS_PERSON})`;

/** Tells whether the affiliate's user has a second factor. Then no mailed link opens the portal. */
export async function hasSecondFactor(db: Db, affiliateId: string): Promise<boolean> {
  const { rows } = await sql`select from affiliate where id = ${affiliateId} and ${HAS_SECOND_FACTOR}`.execute(db);
  return rows.length > 0;
}
