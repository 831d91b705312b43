import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/db/tables.ts';

/** Invalidates a user's unused links for a password reset. Their rows hold the user's id as value. */
export async function endPasswordResets(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
}
