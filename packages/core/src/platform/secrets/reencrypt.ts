import type { Database } from '../db/database.ts';
import { type SealedColumn, findSealed, replaceSealed, sealedColumns } from './sealed-columns.ts';
import type { SecretBox } from './secret-box.ts';

const BATCH = 200;

interface Needed {
  database: Database;
  secrets: SecretBox;
}

export interface Reencrypted {
  /** Number of values that were sealed with the previous key and are now sealed with the current key. */
  reencrypted: number;
  /** Number of values that neither key can decrypt. They were left unchanged. */
  unreadable: number;
}

/**
 * Seals all secrets with the current key, in batches, while the service runs. Skips values that are already sealed with the current
 * key, so that the next call continues an interrupted one.
 */
export async function reencryptSealed(services: Needed): Promise<Reencrypted> {
  const total: Reencrypted = { reencrypted: 0, unreadable: 0 };
  for (const column of await sealedColumns(services.database.kysely)) {
    for (let after: string[] | null = null; ;) {
      const batch = await reencryptBatch(services, column, after);
      total.reencrypted += batch.reencrypted;
      total.unreadable += batch.unreadable;
      if (batch.last === null) break;
      after = batch.last;
    }
  }
  return total;
}

async function reencryptBatch(
  { database: { kysely }, secrets }: Needed,
  column: SealedColumn,
  after: string[] | null,
): Promise<Reencrypted & { last: string[] | null }> {
  const found = await findSealed(kysely, column, { after, limit: BATCH });
  const old = found.filter(({ sealed }) => !secrets.isCurrent(sealed));
  const values = old.flatMap((value) => {
    try {
      const text = secrets.open(value.sealed);
      return [{ ...value, fresh: secrets.seal(text), fingerprint: secrets.fingerprint(text) }];
    } catch {
      return [];
    }
  });
  if (values.length > 0) await replaceSealed(kysely, column, values);
  const last = found.length < BATCH ? null : found.at(-1)!.at;
  return { reencrypted: values.length, unreadable: old.length - values.length, last };
}
