import { sql } from 'kysely';
import type { Database, Db } from '../db/database.ts';
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

/** A column that holds sealed values. Every such column is named `sealed_*`. */
interface SealedColumn {
  table: string;
  column: string;
  /** The column with the fingerprint of the sealed text, or null (`SecretBox.fingerprint`). */
  hash: string | null;
  /** Columns of the primary key, all of them text. */
  key: string[];
}

interface SealedValue {
  /** Values of the primary key. */
  at: string[];
  sealed: string;
}

/** Finds all columns with sealed values. Reads them from the database's catalog, so that no column can be forgotten. */
async function sealedColumns(db: Db): Promise<SealedColumn[]> {
  const { rows } = await sql<SealedColumn>`
    select class.relname as table, sealed.attname as column,
      (select attname from pg_attribute where attrelid = class.oid and not attisdropped
        and attname = replace(sealed.attname, 'sealed_', '') || '_hash') as hash,
      (select array_agg(part.attname::text order by position)
        from unnest(index.indkey::int2[]) with ordinality as keys (number, position)
        join pg_attribute part on part.attrelid = class.oid and part.attnum = keys.number) as key
    from pg_class class
    join pg_attribute sealed on sealed.attrelid = class.oid and sealed.attname like 'sealed\\_%' and not sealed.attisdropped
    join pg_index index on index.indrelid = class.oid and index.indisprimary
    where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p')
    order by 1, 2`.execute(db);
  return rows;
}

/** Returns the next values of a column after the primary key `after`, in the order of the primary key. */
async function findSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  { after, limit }: { after: string[] | null; limit: number },
): Promise<SealedValue[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const { rows } = await sql<SealedValue>`
    select array[${keys}]::text[] as at, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${after === null ? sql`` : sql`and (${keys}) > (${sql.join(after)})`}
    order by ${keys} limit ${limit}`.execute(db);
  return rows;
}

/** Replaces values in one statement, except values that have changed since they were read. */
async function replaceSealed(
  db: Db,
  { table, column, hash, key }: SealedColumn,
  values: readonly (SealedValue & { fresh: string; fingerprint: string })[],
): Promise<void> {
  const rows = sql.join(
    values.map(
      ({ at, sealed, fresh, fingerprint }) =>
        sql`(${sql.join([...at, sealed, fresh, fingerprint].map((text) => sql`${text}::text`))})`,
    ),
  );
  const names = [...key.map((_, i) => `key_${i}`), 'stale', 'fresh', 'fingerprint'].map((name) => sql.ref(name));
  const matches = key.map((name, i) => sql`${sql.ref(`target.${name}`)} = ${sql.ref(`value.key_${i}`)}`);
  await sql`
    update ${sql.table(table)} as target set ${sql.ref(column)} = value.fresh${hash === null ? sql`` : sql`, ${sql.ref(hash)} = value.fingerprint`}
    from (values ${rows}) as value (${sql.join(names)})
    where ${sql.join(matches, sql` and `)} and ${sql.ref(`target.${column}`)} = value.stale`.execute(db);
}
