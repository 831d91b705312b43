import { createHash } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Services } from '../../platform/call/context.ts';
import type { Reencrypted } from '../../platform/secrets/reencrypt.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

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

interface LibraryKey {
  /**
   * Number stored with each value to identify its key. It is a part of the key's hash, so it does not change when the key becomes the previous
   * one.
   */
  version: number;
  value: string;
}

/**
 * Returns the keys with which the library encrypts stored values. The first is the current key, which also encrypts new values. The second is
 * the previous key, if any.
 */
export function libraryKeys(secrets: SecretBox): LibraryKey[] {
  const values = new Set([secrets.derive('sessions'), secrets.derivePrevious('sessions')]);
  return [...values].flatMap((value) => (value === null ? [] : { version: versionOf(value), value }));
}

function versionOf(key: string): number {
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 7), 16);
}

/**
 * Re-encrypts second factors with the current SECRET_KEY. Each value is updated only if it has not changed since it was read, because the library may
 * use up a recovery code at the same time. In that case the library itself encrypts the remaining codes with the current key.
 */
export async function reencryptSecondFactors({ database, secrets }: Services): Promise<Reencrypted> {
  const [current, ...previous] = libraryKeys(secrets);
  const keys = new Map([current!, ...previous].map(({ version, value }) => [version, value]));
  const key = { keys, currentVersion: current!.version };
  const total: Reencrypted = { reencrypted: 0, unreadable: 0 };
  const factors = await database.kysely.selectFrom('auth_second_factor').select(['id', 'secret', 'recovery_codes']).execute();
  for (const { id, ...values } of factors) {
    for (const column of ['secret', 'recovery_codes'] as const) {
      const stored = values[column];
      if (stored.startsWith(`$ba$${key.currentVersion}$`)) continue;
      const text = await symmetricDecrypt({ key, data: stored }).catch(() => null);
      if (text === null) {
        total.unreadable += 1;
        continue;
      }
      const fresh = await symmetricEncrypt({ key, data: text });
      const { numUpdatedRows } = await database.kysely
        .updateTable('auth_second_factor')
        .set({ [column]: fresh })
        .where('id', '=', id)
        .where(column, '=', stored)
        .executeTakeFirst();
      total.reencrypted += Number(numUpdatedRows);
    }
  }
  return total;
}
