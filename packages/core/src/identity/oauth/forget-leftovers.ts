import type { Services } from '../../platform/call/context.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

/** Whoever has registered a client and not connected it by then has given up. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;

/** Drops tokens whose time is over, and clients that nobody has ever consented to. */
export async function forgetOauthLeftovers({ database, clock }: Services): Promise<void> {
  const now = toInstant(clock.now());
  await database.kysely.deleteFrom('oauth_access_token').where('expires_at', '<=', now).execute();
  await database.kysely.deleteFrom('oauth_refresh_token').where('expires_at', '<=', now).execute();
  await database.kysely
    .deleteFrom('oauth_client')
    .where('created_at', '<=', plusMilliseconds(now, -UNUSED_CLIENT_MS))
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
    .execute();
}
