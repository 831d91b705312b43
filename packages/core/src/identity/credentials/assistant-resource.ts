import { newId } from '../../platform/wire/ids.ts';
import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** What is asked for, always: what an assistant may do is decided by the connector's permissions, not by scopes. */
export const SCOPES = ['mcp', 'offline_access'] as const;

/** What access is asked for and granted to (RFC 8707): the door for assistants, by its address. */
export function resourceOf({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/mcp`;
}

const known = new WeakSet<Services>();

/** Makes the door for assistants known to the library, once per process: its address depends on the configuration. */
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
