import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Services } from '../../platform/call/context.ts';
import type { Reencrypted } from '../../platform/secrets/reencrypt.ts';
import { libraryKeys } from './library-keys.ts';

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
