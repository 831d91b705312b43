import type { Db } from '../../platform/db/database.ts';

/**
 * Number of seconds for which a link to reset a password can be used. A request for an emailed link, to reset a password or to sign in, expires
 * after the same time if no email was written.
 */
export const RESET_SECONDS = 3600;

/** Invalidates a user's unused links to reset a password. Their rows hold the user's id in `value`. */
export async function endPasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
}
