import { type RawBuilder, sql } from 'kysely';
import { type FailureLog, type Leftovers, mayLieInOne, workApart } from '../sweeps/failures.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** A change of several rows of a table. */
interface Changes<Row> {
  table: keyof Tables;
  /** The names of the rows that `change` would change now, or an SQL query that finds them. */
  find: readonly string[] | (() => RawBuilder<{ name: string }>);
  /** SQL expression: the name of a row, if `change` is given a condition. Default: `id`. */
  name?: RawBuilder<string>;
  /**
   * Changes those of the named rows for which the change is still due, or all for which it is due. Returns the changed rows.
   *
   * @param isWanted SQL condition: the row is one of the named rows
   */
  change: (names: readonly string[] | null, isWanted: RawBuilder<boolean>) => Promise<Row[]>;
}

/**
 * Changes rows with one statement. If that fails, the rows are changed in halves, so that a row that cannot be changed holds up no other.
 *
 * @param left gets the rows that cannot be changed, which are also logged
 * @returns the changed rows, and whether rows that could not be changed took the places of others
 */
export async function changeApart<Row>(
  { log, database }: { log: FailureLog; database: Database },
  { table, find, name = sql<string>`id`, change }: Changes<Row>,
  left: Leftovers,
): Promise<{ rows: Row[]; isShort: boolean }> {
  try {
    return { rows: await change(null, sql`true`), isShort: false };
  } catch (err) {
    if (!mayLieInOne(err)) throw err;
    const names = typeof find === 'function' ? (await find().execute(database.kysely)).rows.map((row) => row.name) : find;
    // Another process has changed the rows meanwhile.
    if (names.length === 0) return { rows: [], isShort: false };
    const rows: Row[] = [];
    await workApart(names, err, {
      work: async (some) => rows.push(...(await change(some, sql`${name} = any (${some}::text[])`))),
      giveUp: async (row, cause) => {
        left.add(row, cause);
        log.error({ err: cause, table, row }, 'a row could not be changed, and was left out');
      },
    });
    return { rows, isShort: true };
  }
}

/** The due rows of a table. */
interface DueRows<Row> {
  table: keyof Tables;
  /** The columns of the table's primary key. Default: `id`. */
  key?: readonly string[];
  /** SQL condition: true if the work of a row is due. */
  isDue: RawBuilder<boolean>;
  /** The columns, or an SQL expression, by which rows are claimed in ascending order. */
  order: string | readonly string[] | RawBuilder<unknown>;
  limit: number;
  /** SQL: the changes that claim a row. */
  set: RawBuilder<unknown>;
  /** SQL: columns of the claimed rows. */
  returning: RawBuilder<Row>;
}

/**
 * Claims at most `limit` due rows, as `changeApart` does. Rows that are locked by other transactions are left out.
 *
 * @param left gets the rows that cannot be claimed, and names those to leave out
 * @returns the claimed rows, and whether more may be due
 */
export async function claimDue<Row>(
  services: { database: Database; log: FailureLog },
  { table, key = ['id'], isDue, order, limit, set, returning }: DueRows<Row>,
  left: Leftovers,
): Promise<{ rows: Row[]; mayBeMore: boolean }> {
  const db = services.database.kysely;
  const columns = sql.join(key.map((column) => sql.ref(`${table}.${column}`)));
  const sorted =
    typeof order === 'object' && 'toOperationNode' in order
      ? order
      : sql.join([order].flat().map((column) => sql.ref(`${table}.${column}`)));
  const name = sql<string>`concat_ws(' ', ${columns})`;
  const due = (isWanted: RawBuilder<boolean>) =>
    sql`from ${sql.table(table)} where ${isDue} and ${isNotIn(name, left)} and ${isWanted} order by ${sorted} limit ${limit} for update skip locked`;
  const { rows, isShort } = await changeApart(
    services,
    {
      table,
      find: () => sql`select ${name} as name ${due(sql`true`)}`,
      name,
      change: async (_, isWanted) => {
        const claimed = await sql<Row>`
          update ${sql.table(table)} set ${set} where (${columns}) in (select ${columns} ${due(isWanted)}) returning ${returning}`.execute(
          db,
        );
        return claimed.rows;
      },
    },
    left,
  );
  return { rows, mayBeMore: isShort || rows.length === limit };
}

/** SQL condition: true unless `left` names the row. */
export function isNotIn(name: RawBuilder<string>, left: Leftovers): RawBuilder<boolean> {
  return left.ids.length === 0 ? sql`true` : sql`${name} <> all (${left.ids}::text[])`;
}
