import type { Db } from '../../platform/db/database.ts';

/** Number of seconds for which a link to reset a password can be used, and for which a request for any mailed link is handled. */
export const RESET_SECONDS = 3600;

/** Invalidates a user's unused links to reset a password. Their rows hold the user's id in `value`. */
export async function endPasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
}
