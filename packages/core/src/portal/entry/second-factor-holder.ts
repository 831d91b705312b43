import { type RawBuilder, sql } from 'kysely';
import { IS_PERSON } from '../../identity/affiliations/affiliations.ts';
import type { Db } from '../../platform/db/database.ts';

/** SQL condition: the person who is the affiliate has a second factor. Needs the table `affiliate`. */
export const HAS_SECOND_FACTOR: RawBuilder<boolean> = sql`exists (
  select from auth_user where auth_user.has_second_factor and ${IS_PERSON})`;

/** True if the affiliate's user has a second factor. In this case, emailed links do not open the portal. */
export async function hasSecondFactor(db: Db, affiliateId: string): Promise<boolean> {
  const { rows } = await sql`select from affiliate where id = ${affiliateId} and ${HAS_SECOND_FACTOR}`.execute(db);
  return rows.length > 0;
}
