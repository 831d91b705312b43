import type { Services } from '../../platform/call/context.ts';
import { type Reencrypted, reencryptSealed } from '../../platform/secrets/reencrypt.ts';
import { storeKeyCheck } from '../../platform/secrets/secret-key-check.ts';

/**
 * Re-encrypts all stored secrets with the present SECRET_KEY, and declares it to be the key of the database. May be repeated, and run
 * beside the service.
 */
export async function reencryptSecrets(services: Services): Promise<Reencrypted> {
  const sealed = await reencryptSealed(services);
  // Loaded here, because the authentication library is large.
  const { reencryptClientSecrets } = await import('./client-secrets.ts');
  const { reencryptSecondFactors } = await import('./reencrypt-second-factors.ts');
  const clients = await reencryptClientSecrets(services);
  const factors = await reencryptSecondFactors(services);
  await storeKeyCheck(services);
  return {
    reencrypted: sealed.reencrypted + clients.reencrypted + factors.reencrypted,
    unreadable: sealed.unreadable + clients.unreadable + factors.unreadable,
  };
}
