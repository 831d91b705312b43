import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';

/** Returns the OAuth resource (RFC 8707) that tokens are issued for: the URL of the MCP server. */
export function resourceOf({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/mcp`;
}

const known = new WeakSet<Services>();

/**
 * Stores the OAuth resource in the library's table, once per process. No migration does so, because the resource depends on the configured
 * public URL.
 */
export async function declareResource(services: Services): Promise<void> {
  if (known.has(services)) return;
  const now = toInstant(services.clock.now());
  await services.database.kysely
    .insertInto('oauth_resource')
    .values({
      id: newId('oauth_resource', services.clock.now()),
      identifier: resourceOf(services),
      name: 'Affiliate program',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('identifier').doNothing())
    .execute();
  known.add(services);
}
