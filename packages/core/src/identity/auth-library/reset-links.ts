import type { Db } from '../../platform/db/database.ts';

/** Time during which a mailed link can be used. */
export const RESET_SECONDS = 3600;

/** Invalidates a user's unused links for a password reset. Their rows hold the user's id as value. */
export async function endPasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
}
