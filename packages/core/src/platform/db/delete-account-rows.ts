import { sql } from 'kysely';
import type { Database, Db } from './database.ts';

const BATCH = 5_000;

/** How a row references its account: by its own `account_id`, or through a row of a parent table. */
type Owner = 'account_id' | { column: string; parent: string; parentColumn: string };

/** A table whose rows belong to accounts. `owners` lists all ways in which a row references its account. */
interface AccountTable {
  name: string;
  owners: readonly Owner[];
  /** Foreign keys of the table to itself. */
  selfReferences: { column: string; target: string }[];
}

interface ForeignKey {
  child: string;
  column: string;
  parent: string;
  target: string;
}

/**
 * Deletes the rows of an account in every table except `account`.
 *
 * Works in batches that commit separately, so that neither locks nor the write-ahead log grow with the account. After an interruption, the next call
 * continues. The tables are read from the catalog, so that a new table with a foreign key is included.
 *
 * @param first tables to empty before all others
 * @param kept tables to leave as they are
 * @returns the number of rows deleted
 */
export async function deleteAccountRows(
  database: Database,
  accountId: string,
  first: readonly string[],
  kept: readonly string[] = [],
): Promise<number> {
  const db = database.kysely;
  const tables = (await tablesOfAccounts(database, first)).filter(({ name }) => !kept.includes(name));
  let total = 0;
  // Repeats until a pass deletes nothing: requests that were running may still add rows, and visits do so until the account's links are deleted.
  for (let deleted = -1; deleted !== 0; total += deleted) {
    deleted = await emptyPartitioned(db, accountId);
    for (const table of tables) deleted += await empty(db, table, accountId);
  }
  return total;
}

/** Returns the number of rows that `deleteAccountRows` would delete now. */
export async function countAccountRows(database: Database, accountId: string, kept: readonly string[]): Promise<number> {
  const db = database.kysely;
  const tables = (await tablesOfAccounts(database, [])).filter(({ name }) => !kept.includes(name));
  const counts = await Promise.all([
    ...(await partitions(db)).map((name) => countRows(db, name, accountId)),
    ...tables.filter(({ owners }) => owners.includes('account_id')).map(({ name }) => countRows(db, name, accountId)),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countRows(db: Db, table: string, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where account_id = ${accountId}`.execute(db);
  return rows[0]!.count;
}

/**
 * Deletes the account's rows in partitioned tables, which have no foreign keys. Works on each partition, because a `ctid` is unique only within a
 * partition.
 */
async function emptyPartitioned(db: Db, accountId: string): Promise<number> {
  let total = 0;
  for (const name of await partitions(db))
    total += await empty(db, { name, owners: ['account_id'], selfReferences: [] }, accountId);
  return total;
}

/** Lists the partitions of partitioned tables. */
async function partitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct pg_partition_tree.relid::regclass::text as name
    from pg_partitioned_table cross join pg_partition_tree(partrelid)
    join pg_class on pg_class.oid = partrelid
    where isleaf and relnamespace = current_schema()::regnamespace`.execute(db);
  return rows.map(({ name }) => name);
}

async function empty(db: Db, table: AccountTable, accountId: string): Promise<number> {
  const row = sql.ref(`${table.name}.ctid`);
  const unreferenced = table.selfReferences.map(
    ({ column, target }) =>
      sql`and not exists (select from ${sql.table(table.name)} other where ${sql.ref(`other.${column}`)} = ${sql.ref(`${table.name}.${target}`)})`,
  );
  let total = 0;
  for (const owner of table.owners) {
    const [from, account] =
      owner === 'account_id'
        ? [sql`${sql.table(table.name)}`, `${table.name}.account_id`]
        : [
            sql`${sql.table(table.name)} join ${sql.table(owner.parent)} on ${sql.ref(`${owner.parent}.${owner.parentColumn}`)} = ${sql.ref(`${table.name}.${owner.column}`)}`,
            `${owner.parent}.account_id`,
          ];
    for (let deleted = BATCH; deleted > 0; total += deleted) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table.name)} where ctid = any (array(
          select ${row} from ${from} where ${sql.ref(account)} = ${accountId} ${sql.join(unreferenced, sql` `)} limit ${BATCH}))`.execute(
        db,
      );
      deleted = Number(numAffectedRows ?? 0);
    }
  }
  return total;
}

/** Lists the tables whose rows belong to accounts. A table comes before the tables that it references. */
async function tablesOfAccounts({ kysely: db, unkeyedTables }: Database, first: readonly string[]): Promise<AccountTable[]> {
  const keys = await foreignKeys(db);
  const ofAccounts = [...keys.filter(({ parent }) => parent === 'account').map(({ child }) => child), ...unkeyedTables];
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'account_id' and table_name = any (${ofAccounts})
    order by table_name`.execute(db);
  const scoped = new Set(rows.map(({ name }) => name));
  const owned = new Map<string, Owner[]>(rows.map(({ name }) => [name, ['account_id']]));
  for (const { child, column, parent, target } of keys) {
    if (scoped.has(child) || !scoped.has(parent)) continue;
    owned.set(child, [...(owned.get(child) ?? []), { column, parent, parentColumn: target }]);
  }
  const order: string[] = [];
  const visit = (name: string) => {
    if (order.includes(name)) return;
    for (const key of keys) if (key.parent === name && key.child !== name && owned.has(key.child)) visit(key.child);
    order.push(name);
  };
  for (const name of [...first, ...owned.keys()]) visit(name);
  return order.map((name) => ({
    name,
    owners: owned.get(name)!,
    selfReferences: keys.filter(({ child, parent }) => child === name && parent === name),
  }));
}

async function foreignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select child.relname::text as child, referring.attname::text as column, parent.relname::text as parent, referred.attname::text as target
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    join pg_attribute referring on referring.attrelid = conrelid and referring.attnum = conkey[1]
    join pg_attribute referred on referred.attrelid = confrelid and referred.attnum = confkey[1]
    where contype = 'f' and child.relnamespace = current_schema()::regnamespace
    order by child.relname, referring.attname`.execute(db);
  return rows;
}
