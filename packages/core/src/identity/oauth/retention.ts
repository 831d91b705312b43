import type { Services } from '../../platform/call/context.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

/** A client that no connector uses after this time was abandoned. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;

/** Deletes expired access and refresh tokens. Returns the number deleted. */
export async function purgeOauthTokens({ database, clock }: Services): Promise<number> {
  const now = toInstant(clock.now());
  const access = await database.kysely.deleteFrom('oauth_access_token').where('expires_at', '<=', now).executeTakeFirst();
  const refresh = await database.kysely.deleteFrom('oauth_refresh_token').where('expires_at', '<=', now).executeTakeFirst();
  return Number(access.numDeletedRows + refresh.numDeletedRows);
}

/** Deletes clients that registered more than 24 hours ago and that nobody consented to. Returns the number deleted. */
export async function purgeUnusedOauthClients({ database, clock }: Services): Promise<number> {
  const { numDeletedRows } = await database.kysely
    .deleteFrom('oauth_client')
    .where('created_at', '<=', plusMilliseconds(toInstant(clock.now()), -UNUSED_CLIENT_MS))
    .where((client) =>
      client.not(
        client.exists(
          client
            .selectFrom('connector')
            .select('connector.id')
            .whereRef('connector.oauth_client_id', '=', 'oauth_client.client_id'),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
