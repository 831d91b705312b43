import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** Deletes expired sessions, links that sign in, password resets, requests for a link and counters of sign-in attempts. Returns the number of rows. */
export async function purgeSessions({ database, clock }: Services): Promise<number> {
  const now = toInstant(clock.now());
  const results = [
    await database.kysely.deleteFrom('auth_session').where('expires_at', '<=', now).executeTakeFirst(),
    await database.kysely.deleteFrom('auth_verification').where('expires_at', '<=', now).executeTakeFirst(),
    await database.kysely.deleteFrom('password_reset_request').where('expires_at', '<=', now).executeTakeFirst(),
    await database.kysely.deleteFrom('sign_in_link').where('expires_at', '<=', now).executeTakeFirst(),
    await database.kysely.deleteFrom('auth_attempt').where('window_ends_at', '<=', now).executeTakeFirst(),
  ];
  return results.reduce((total, { numDeletedRows }) => total + Number(numDeletedRows), 0);
}
