import type { Services } from '../../platform/call/context.ts';
import { type Reencrypted, reencryptSealed } from '../../platform/secrets/reencrypt.ts';
import { storeKeyCheck } from '../../platform/secrets/secret-box.ts';

/**
 * Re-encrypts all stored secrets with the current SECRET_KEY, and then stores this key's check value in the database. May be repeated, and may
 * run while the service is running.
 */
export async function reencryptSecrets(services: Services): Promise<Reencrypted> {
  const sealed = await reencryptSealed(services);
  // Imported on demand, because the authentication library is large.
  const { reencryptClientSecrets, reencryptSecondFactors } = await import('./library-secrets.ts');
  const clients = await reencryptClientSecrets(services);
  const factors = await reencryptSecondFactors(services);
  await storeKeyCheck(services);
  return {
    reencrypted: sealed.reencrypted + clients.reencrypted + factors.reencrypted,
    unreadable: sealed.unreadable + clients.unreadable + factors.unreadable,
  };
}
