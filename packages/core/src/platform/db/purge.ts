import { type RawBuilder, sql } from 'kysely';
import { Leftovers, mayLieInOne, workApart } from '../sweeps/failures.ts';
import { isNotIn } from './claim.ts';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows per statement. Short statements do not block other writers of the table for long. */
const BATCH = 1_000;

/** True if a long task should stop at its next safe point. */
export type MustStop = () => boolean;

/** The rows that a purge deletes. */
interface Purged {
  table: keyof Tables;
  /** The columns of the table's primary key. Default: `id`. */
  key?: readonly string[];
  /** SQL condition: true if the retention of a row of the table is over. */
  isOver: RawBuilder<boolean>;
  /** The column by which rows are deleted in ascending order. It has an index, so that a purge reads only the rows that it deletes. */
  order: string;
  /**
   * SQL: parts of a `with` statement, of which `gone` deletes the rows with the given keys and returns them. Default: no other parts.
   *
   * @param keys SQL: the keys of the rows
   */
  deletion?: (keys: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * Deletes rows batch by batch until none is left whose retention is over. Rows that are locked by other transactions are left to the next purge. A batch
 * that fails is repeated in halves, so that a row that cannot be deleted holds up no other.
 *
 * @param mustStop checked after each batch; if true, the remaining rows are left to the next purge
 * @returns the number of rows deleted
 * @throws the error of a row that cannot be deleted, after all others have been deleted
 */
export async function purge(
  db: Db,
  { table, key = ['id'], isOver, order, deletion }: Purged,
  mustStop: MustStop = () => false,
): Promise<number> {
  const left = new Leftovers();
  const columns = sql.join(key.map((column) => sql.ref(`${table}.${column}`)));
  const name = sql<string>`json_build_array(${columns})::text`;
  const parts =
    deletion ?? ((keys) => sql`gone as (delete from ${sql.table(table)} where (${columns}) in (${keys}) returning true)`);
  const over = (which: RawBuilder<boolean>, limit: number) => sql`
    from ${sql.table(table)} where ${isOver} and ${which} order by ${sql.ref(`${table}.${order}`)} limit ${limit} for update skip locked`;
  let total = 0;
  const remove = async (which: RawBuilder<boolean>, limit: number) => {
    const { rows } = await sql<{ deleted: number }>`
      with ${parts(sql`select ${columns} ${over(which, limit)}`)} select count(*) as deleted from gone`.execute(db);
    const { deleted } = rows[0]!;
    total += deleted;
    return deleted;
  };
  let found: number;
  do {
    try {
      found = await remove(isNotIn(name, left), BATCH);
    } catch (err) {
      if (!mayLieInOne(err)) throw err;
      const { rows } = await sql<{ name: string }>`select ${name} as name ${over(isNotIn(name, left), BATCH)}`.execute(db);
      found = rows.length;
      if (found > 0)
        await workApart(
          rows.map((row) => row.name),
          err,
          {
            work: (names) => remove(sql`${name} = any (${names}::text[])`, names.length),
            giveUp: async (row, cause) => left.add(row, cause),
          },
        );
    }
  } while (found === BATCH && !mustStop());
  left.throwCause();
  return total;
}
