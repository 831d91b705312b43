import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../call/context.ts';
import { startsWith } from '../db/conditions.ts';

/** Number of found rows up to which a search reads the rows instead of the list. */
const MOST_FOUND = 5_000;

/** One of the ways in which a row matches a search. */
interface Way {
  condition: RawBuilder<unknown>;
  /** Order of the index that serves the condition. Without it, at most one row fulfills the condition. */
  order?: RawBuilder<unknown>;
}

/** A text in lower case begins with `start`. An index with `text_pattern_ops` serves this way. */
export function beginsWith(lowered: RawBuilder<string>, start: string): Way {
  return { condition: startsWith(lowered, start), order: sql`${lowered} using ~<~` };
}

/**
 * Returns the SQL condition: a row of the account matches in one of several ways.
 *
 * If few rows match, the condition takes their ids from the indexes of the ways. If many do, it is the plain `or` of the ways: the list is read in its
 * order until the page is full. The planner cannot choose between the two, because it does not know the searched text.
 */
export async function matchesOne({ db, accountId }: Ctx, table: string, ways: readonly Way[]): Promise<RawBuilder<boolean>> {
  const found = ways.map(({ condition, order }) => {
    const ids = sql`select id from ${sql.table(table)} where account_id = ${accountId} and ${condition}`;
    // The order makes the planner use the index of the way although it expects many rows.
    return order === undefined ? ids : sql`(${ids} order by ${order} limit ${sql.lit(MOST_FOUND + 1)})`;
  });
  const all = sql.join(found, sql` union all `);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${all}) found`.execute(db);
  if (rows[0]!.n <= MOST_FOUND) return sql<boolean>`id = any(array(${all}))`;
  return sql<boolean>`(${sql.join(
    ways.map(({ condition }) => condition),
    sql` or `,
  )})`;
}
