import { sql } from 'kysely';
import { z } from 'zod';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { DomainError, notFound } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { id, instant, nameText } from '../../platform/wire/scalars.ts';

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

export const Profile = z.object({
  email: z.string(),
  name: z.string(),
  language: z
    .enum(LANGUAGES)
    .nullable()
    .describe('Language of pages and emails; null until the person has signed in with a browser.'),
  has_password: z.boolean().describe('`true` if the person has a password. People without one sign in by link.'),
  has_second_factor: z.boolean().describe('`true` if signing in asks for a code.'),
});
export type Profile = z.infer<typeof Profile>;

export const UpdateProfile = z.strictObject({
  name: nameText(200).optional().describe('Name that other members see.'),
  language: z.enum(LANGUAGES).optional().describe('Language of pages and mails.'),
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

export const OwnSessions = z.object({
  data: z
    .array(
      z.object({
        id: id('session'),
        browser: z.string().nullable().describe('Family of the browser, e.g. `Firefox`; null when it is unknown.'),
        os: z.string().nullable().describe('Family of the operating system, e.g. `macOS`; null when it is unknown.'),
        started_at: instant(),
        last_seen_at: instant().describe('Time of the last use, exact to ten minutes.'),
        is_current: z.boolean().describe('`true` if this is the session of the call.'),
      }),
    )
    .describe('The session of the call comes first. The others follow by last use, latest first. At most 100.'),
});
export type OwnSessions = z.infer<typeof OwnSessions>;

export const EndSession = z.strictObject({ session_id: id('session') });
export type EndSession = z.infer<typeof EndSession>;
