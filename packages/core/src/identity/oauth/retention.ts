import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeExpired, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

/** Age at which a client without a connector counts as abandoned. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;

/** Deletes expired access and refresh tokens. Returns the number deleted. */
export async function purgeOauthTokens({ database, clock }: Services, mustStop: MustStop = () => false): Promise<number> {
  const now = toInstant(clock.now());
  const access = await purgeExpired(database.kysely, { table: 'oauth_access_token' }, now, mustStop);
  if (mustStop()) return access;
  return access + (await purgeExpired(database.kysely, { table: 'oauth_refresh_token' }, now, mustStop));
}

/** Deletes clients that registered more than 24 hours ago and have no connector, because nobody consented. Returns the number deleted. */
export function purgeUnusedOauthClients({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusMilliseconds(toInstant(clock.now()), -UNUSED_CLIENT_MS);
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from oauth_client where id in (
        select id from oauth_client client
        where created_at <= ${before}::timestamptz
          and not exists (select from connector where connector.oauth_client_id = client.client_id)
        order by created_at limit ${limit} for update skip locked)`.execute(database.kysely);
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}
