import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purge, purgeExpired, purgeInTurn } from '../../platform/db/purge.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

/** Age at which a client without a connector counts as abandoned. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;

/** Deletes expired access and refresh tokens. Returns the number deleted. */
export function purgeOauthTokens({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const now = toInstant(clock.now());
  const tables = ['oauth_access_token', 'oauth_refresh_token'] as const;
  return purgeInTurn(
    tables.map((table) => () => purgeExpired(database.kysely, { table }, now, mustStop)),
    mustStop,
  );
}

/** Deletes clients that registered more than 24 hours ago and have no connector, because nobody consented. Returns the number deleted. */
export function purgeUnusedOauthClients({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusMilliseconds(toInstant(clock.now()), -UNUSED_CLIENT_MS);
  const isOver = sql<boolean>`created_at <= ${before}::timestamptz
    and not exists (select from connector where connector.oauth_client_id = oauth_client.client_id)`;
  return purge(database.kysely, { table: 'oauth_client', isOver, order: 'created_at' }, mustStop);
}
