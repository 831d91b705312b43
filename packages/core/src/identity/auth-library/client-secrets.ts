import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Services } from '../../platform/call/context.ts';
import type { Reencrypted } from '../../platform/secrets/reencrypt.ts';

type Needed = Pick<Services, 'secrets'>;

/**
 * Returns functions that encrypt and decrypt the secrets of OAuth clients in the library's own format. Unlike the library, `decrypt` also accepts
 * secrets that were encrypted under the previous SECRET_KEY.
 */
export function clientSecretStorage(services: Needed) {
  return {
    encrypt: (secret: string) => symmetricEncrypt({ key: services.secrets.derive('sessions'), data: secret }),
    decrypt: async (stored: string) => (await open(services, stored)).secret,
  };
}

/** Re-encrypts the secrets of OAuth clients with the current SECRET_KEY. */
export async function reencryptClientSecrets(services: Services): Promise<Reencrypted> {
  const db = services.database.kysely;
  const { encrypt } = clientSecretStorage(services);
  const total: Reencrypted = { reencrypted: 0, unreadable: 0 };
  const clients = await db.selectFrom('oauth_client').select(['id', 'client_secret']).execute();
  for (const { id, client_secret } of clients) {
    if (client_secret === null) continue;
    const opened = await open(services, client_secret).catch(() => null);
    if (!opened) total.unreadable += 1;
    if (!opened || opened.isCurrent) continue;
    const fresh = await encrypt(opened.secret);
    await db
      .updateTable('oauth_client')
      .set({ client_secret: fresh })
      .where('id', '=', id)
      .where('client_secret', '=', client_secret)
      .execute();
    total.reencrypted += 1;
  }
  return total;
}

async function open({ secrets }: Needed, stored: string): Promise<{ secret: string; isCurrent: boolean }> {
  try {
    return { secret: await symmetricDecrypt({ key: secrets.derive('sessions'), data: stored }), isCurrent: true };
  } catch (error) {
    const previous = secrets.derivePrevious('sessions');
    if (previous === null) throw error;
    return { secret: await symmetricDecrypt({ key: previous, data: stored }), isCurrent: false };
  }
}
