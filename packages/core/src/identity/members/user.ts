import type { Role } from '../../platform/access/permissions.ts';
import type { Services } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { assertAnotherOwner, lockRole } from './memberships.ts';

interface NewMember {
  accountId: string;
  email: string;
  /** Name of a user who is created. By default the part of the email address before the `@`. */
  name?: string | undefined;
  password: string;
  role: Role;
}

/**
 * Makes a person a member of an account, in the caller's transaction. If a user with this email address exists, the user keeps the existing
 * password. Otherwise a user is created with `password`.
 *
 * @returns the user's id
 * @throws VALIDATION_ERROR for a new user's password that `createUser` refuses, and for giving the last owner another role
 */
export async function addMember(
  services: Pick<Services, 'clock'>,
  db: Db,
  { accountId, email, name, password, role }: NewMember,
): Promise<string> {
  const at = toInstant(services.clock.now());
  const existing = await db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
  const userId = existing?.id ?? (await createUser(services, db, { email, password, ...(name === undefined ? {} : { name }) }));
  const { memberships, role: former } = await lockRole({ db, accountId }, userId);
  if (former === 'owner' && role !== 'owner') await assertAnotherOwner({ db }, memberships, userId);
  await db
    .insertInto('membership')
    .values({ account_id: accountId, user_id: userId, role, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role, updated_at: at }))
    .execute();
  return userId;
}

/**
 * Creates a user who signs in with `password`. Without `password`, the user signs in with emailed links. The email address counts as verified.
 *
 * @returns the user's id
 * @throws VALIDATION_ERROR when the password has fewer than 8 or more than 128 characters
 */
export async function createUser(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { email, password, name }: { email: string; password?: string; name?: string },
): Promise<string> {
  if (password !== undefined) assertPassword(password);
  const at = toInstant(clock.now());
  const id = newId('user', clock.now());
  await db
    .insertInto('auth_user')
    .values({
      id,
      email: email.toLowerCase(),
      email_verified: true,
      name: name ?? email.split('@')[0]!,
      image: null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  if (password !== undefined) await insertPassword({ clock }, db, id, password);
  return id;
}

/** Stores the password of a user who has none. */
async function insertPassword({ clock }: Pick<Services, 'clock'>, db: Db, userId: string, password: string): Promise<void> {
  const { hashPassword } = await import('./passwords.ts');
  const at = toInstant(clock.now());
  await db
    .insertInto('auth_credential')
    .values({
      id: newId('credential', clock.now()),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password: await hashPassword(password),
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/** @throws VALIDATION_ERROR when the password has fewer than 8 or more than 128 characters */
function assertPassword(password: string): void {
  if (password.length < 8 || password.length > 128) throw invalid('password', IDENTITY_REASONS.password_length, 'too_small');
}

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
