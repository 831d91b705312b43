import type { Services } from '../../platform/call/context.ts';
import type { createAuth } from './create-auth.ts';

const auths = new WeakMap<Services, Promise<Auth>>();
type Auth = ReturnType<typeof createAuth>;

/** The authentication library, configured for these services. It is large, so it is loaded on first use. */
export function authOf(services: Services): Promise<Auth> {
  let auth = auths.get(services);
  if (!auth) {
    auths.set(services, (auth = load(services)));
    // A failed load is not kept: the next call tries again.
    auth.catch(() => auths.delete(services));
  }
  return auth;
}

async function load(services: Services): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services);
}
