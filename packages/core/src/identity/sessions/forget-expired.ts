import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** Drops sessions, password resets and counters of attempts whose time is over. */
export async function forgetExpiredSessions({ database, clock }: Services): Promise<void> {
  const now = toInstant(clock.now());
  await database.kysely.deleteFrom('auth_session').where('expires_at', '<=', now).execute();
  await database.kysely.deleteFrom('auth_verification').where('expires_at', '<=', now).execute();
  await database.kysely.deleteFrom('auth_attempt').where('window_ends_at', '<=', now).execute();
}
