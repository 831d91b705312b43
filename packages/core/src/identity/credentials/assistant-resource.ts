import { newId } from '../../platform/wire/ids.ts';
import type { Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';

/** The scopes that every client requests. The connector's permissions, not scopes, decide what an assistant may do. */
export const SCOPES = ['mcp', 'offline_access'] as const;

/** The OAuth resource (RFC 8707) that tokens are issued for: the address of the door for assistants. */
export function resourceOf({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/mcp`;
}

const known = new WeakSet<Services>();

/** Registers the door for assistants with the library, once per process: its address depends on the configuration. */
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
