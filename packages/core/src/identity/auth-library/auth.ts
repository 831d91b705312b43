import type { Services } from '../../platform/call/context.ts';
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

async function load(services: Services): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services);
}
