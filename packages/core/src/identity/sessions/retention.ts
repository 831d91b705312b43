import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeExpired, purgeInTurn } from '../../platform/db/purge.ts';
import { toInstant } from '../../platform/time/instant.ts';

const EXPIRING = [
  { table: 'auth_session' },
  { table: 'auth_verification' },
  { table: 'password_reset_request' },
  { table: 'sign_in_link', key: ['token_hash'] },
  { table: 'auth_attempt', key: ['key'], ends: 'window_ends_at' },
] as const;

/** Deletes expired sessions, sign-in links, password resets, requests for a link, and counters of sign-in attempts. Returns the number of rows. */
export function purgeSessions({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const now = toInstant(clock.now());
  return purgeInTurn(
    EXPIRING.map((expiring) => () => purgeExpired(database.kysely, expiring, now, mustStop)),
    mustStop,
  );
}
