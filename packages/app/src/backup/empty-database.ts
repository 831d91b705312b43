import type { PgClient } from '@affiliate/postgres';
import { OperatorError } from '../errors.ts';
import { RESTORE_MARK } from './table-copies.ts';

/** Advisory lock held by the session of a running restore. Every version of the service must use the same number. */
const RESTORE_LOCK = 4_202_611_222;

/**
 * Checks that the database stores Unicode and has no tables, or only those of an interrupted restore.
 *
 * @throws OperatorError if the database has another encoding or other tables
 */
export async function assertEmpty(client: PgClient): Promise<void> {
  const { rows: settings } = await client.query<{ server_encoding: string }>('show server_encoding');
  const { server_encoding: encoding } = settings[0]!;
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database has the encoding ${encoding}. Nothing was changed. Restore into an empty database with the encoding UTF8.`,
    );
  const { rows } = await client.query<{ name: string }>(
    `select class.oid::regclass::text as name from pg_class class join pg_namespace namespace on namespace.oid = class.relnamespace
     where class.relkind in ('r', 'p', 'v', 'm', 'f') and nspname not like 'pg\\_%' and nspname <> 'information_schema'
       and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
     order by 1`,
  );
  const names = rows.map(({ name }) => name);
  if (names.length === 0 || names.includes(RESTORE_MARK)) return;
  throw new OperatorError(
    `The database is not empty (it has ${names.slice(0, 3).join(', ')}). Nothing was changed. Restore into an empty database.`,
  );
}

/** Removes what an interrupted restore left behind, and marks the database as being restored. */
export async function beginRestore(client: PgClient): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [RESTORE_LOCK]);
  if (!rows[0]!.locked) throw new OperatorError('Another restore into this database is running. Wait until it has ended.');
  await clearRestore(client);
  await client.query(`create table ${RESTORE_MARK} ()`);
}

export async function endRestore(client: PgClient): Promise<void> {
  await client.query(`drop table ${RESTORE_MARK}`);
}

/** Removes all tables, sequences and functions of the schema. Safe, because the restore has checked that the schema was empty. */
export async function clearRestore(client: PgClient): Promise<void> {
  await client.query(`do $$
    declare
      item record;
    begin
      for item in select case relkind when 'S' then 'sequence' else 'table' end as kind, relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S') order by relkind desc
      loop
        execute format('drop %s if exists %I cascade', item.kind, item.name);
      end loop;
      for item in select oid::regprocedure as name from pg_proc where pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      loop
        execute format('drop routine if exists %s cascade', item.name);
      end loop;
    end $$`);
}

/** Drops the foreign keys of all tables. Returns a function that adds them again. Adding a foreign key checks every row. */
export async function dropForeignKeys(client: PgClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of rows) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
  };
}

/**
 * Drops all non-unique indexes, because building an index on a full table takes a fraction of the time of updating it row by row. Returns a function
 * that builds the indexes again. Keeps the indexes of partitioned tables, because each such index consists of one index per partition.
 */
export async function dropIndexes(client: PgClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select class.oid::regclass::text as name, pg_get_indexdef(class.oid) as definition
     from pg_index index join pg_class class on class.oid = index.indexrelid join pg_class "table" on "table".oid = index.indrelid
     where class.relnamespace = current_schema()::regnamespace and not index.indisunique
       and "table".relkind = 'r' and not "table".relispartition order by 1`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

/** Removes the rows that migrations insert. */
export async function emptyTables(client: PgClient): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(oid::regclass::text, ', ') as names from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> $1`,
    [RESTORE_MARK],
  );
  await client.query(`truncate ${rows[0]!.names}`);
}
