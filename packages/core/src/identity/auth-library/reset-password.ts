import type { Services } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { assertPassword, insertPassword } from '../members/user.ts';

/**
 * Gives a person another password on behalf of the operator, e.g. if there is no mail server. Ends the person's sessions, links to reset the password
 * and trusted browsers, as a reset by email does.
 *
 * @returns the user's id
 * @throws NOT_FOUND for an unknown address; VALIDATION_ERROR when the password has fewer than 8 or more than 128 characters
 */
export function resetPassword(services: Services, { email, password }: { email: string; password: string }): Promise<string> {
  assertPassword(password);
  return services.database.transaction(async (db) => {
    const user = await db.selectFrom('auth_user').select('id').where(sameText('email', email)).forUpdate().executeTakeFirst();
    if (!user) throw notFound('user');
    await db.deleteFrom('auth_credential').where('user_id', '=', user.id).where('provider_id', '=', 'credential').execute();
    await insertPassword(services, db, user.id, password);
    await db.deleteFrom('auth_session').where('user_id', '=', user.id).execute();
    await endPasswordResets(db, user.id);
    return user.id;
  });
}

/**
 * Number of seconds for which a link to reset a password can be used. A request for an emailed link, to reset a password or to sign in, expires
 * after the same time if no email was written.
 */
export const RESET_SECONDS = 3600;

/** Invalidates a user's unused links to reset a password. Their rows hold the user's id in `value`. */
export async function endPasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
}
