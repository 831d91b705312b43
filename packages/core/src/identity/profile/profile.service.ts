import { sql } from 'kysely';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { DomainError, notFound } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { EndSession, OwnSessions, Profile, UpdateProfile } from './profile.schema.ts';

const MAX_SESSIONS = 100;

/** Returns the signed-in person's own profile. */
export async function getProfile({ services, session }: PersonCtx): Promise<Profile> {
  const profile = await services.database.kysely
    .selectFrom('auth_user')
    .select((user) => [
      'email',
      'name',
      'language',
      'has_second_factor',
      user
        .exists(
          user
            .selectFrom('auth_credential')
            .select('auth_credential.id')
            .whereRef('auth_credential.user_id', '=', 'auth_user.id')
            .where('password', 'is not', null),
        )
        .$castTo<boolean>()
        .as('has_password'),
    ])
    .where('id', '=', session.user_id)
    .executeTakeFirst();
  if (!profile) throw new DomainError('UNAUTHORIZED', PLATFORM_REASONS.sign_in_first);
  return profile;
}

/** Changes the signed-in person's name and language, which are the same in all accounts. */
export async function updateProfile(ctx: PersonCtx, changes: UpdateProfile): Promise<Profile> {
  const { database, clock } = ctx.services;
  await database.kysely
    .updateTable('auth_user')
    .set({ ...changes, updated_at: toInstant(clock.now()) })
    .where('id', '=', ctx.session.user_id)
    .execute();
  return getProfile(ctx);
}

/** Lists the sessions of the signed-in person that have not expired. */
export async function listOwnSessions({ services, session }: PersonCtx): Promise<OwnSessions> {
  const rows = await services.database.kysely
    .selectFrom('auth_session')
    .select(['id', 'user_agent', 'created_at'])
    .select(sql<Instant>`coalesce(last_seen_at, created_at)`.as('last_seen_at'))
    .where('user_id', '=', session.user_id)
    .where('expires_at', '>', toInstant(services.clock.now()))
    .orderBy((own) => own('id', '=', session.id), 'desc')
    .orderBy(sql`coalesce(last_seen_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SESSIONS)
    .execute();
  return {
    data: rows.map(({ id, user_agent, created_at, last_seen_at }) => {
      const { browser, os } = clientProgramOf(user_agent ?? undefined);
      return { id, browser, os, started_at: created_at, last_seen_at, is_current: id === session.id };
    }),
  };
}

/**
 * Ends one session of the signed-in person at once.
 *
 * @throws NOT_FOUND for a session that has ended or belongs to another person
 */
export async function endSession({ services, session }: PersonCtx, { session_id }: EndSession): Promise<void> {
  const { numDeletedRows } = await services.database.kysely
    .deleteFrom('auth_session')
    .where('id', '=', session_id)
    .where('user_id', '=', session.user_id)
    .executeTakeFirst();
  if (Number(numDeletedRows) === 0) throw notFound('session');
}
