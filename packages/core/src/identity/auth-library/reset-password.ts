import type { Services } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { assertPassword, insertPassword } from '../members/user.ts';
import { endPasswordResets } from './reset-links.ts';

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
