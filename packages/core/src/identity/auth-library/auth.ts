import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { createAuth } from './create-auth.ts';

const auths = new WeakMap<Services, Promise<Auth>>();
type Auth = ReturnType<typeof createAuth>;

/** Returns the authentication library, configured for these services. The library is large, so it is loaded on first use. */
export function authOf(services: Services): Promise<Auth> {
  let auth = auths.get(services);
  if (!auth) {
    auths.set(services, (auth = load(services)));
    // Forgets a failed load, so that the next call tries again.
    auth.catch(() => auths.delete(services));
  }
  return auth;
}

/**
 * Returns the library for one request whose reads and writes belong to a transaction. The library has no transactions of its own around what it does in
 * a request.
 */
export async function authWithin(services: Services, db: Db): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services, { db });
}

async function load(services: Services): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services);
}
