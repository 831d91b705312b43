import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../call/context.ts';
import { startsWith } from '../db/conditions.ts';
import { ID_SLACK_MS, type RecordKind, firstIdAt } from './ids.ts';
import { currency, id, signedCents, timestamp } from './scalars.ts';

/** Filters for incremental reads; both ends are inclusive. */
export const updatedRange = {
  updated_since: timestamp().optional().describe('Returns records updated at or after this time.'),
  updated_until: timestamp().optional().describe('Returns records updated at or before this time.'),
};

/** Filter by one or more of `values`. The parameter may be repeated, with or without `[]`, or be comma-separated. */
export function oneOrMore<const Values extends readonly [string, ...string[]]>(values: Values) {
  return (
    z
      .array(z.enum(values))
      // An empty filter is a mistake and must not match every record.
      .min(1)
      .describe('Filters by one or more of these values.')
      .optional()
  );
}

/** Minimum length of `q`. Shorter texts are the beginning of too many names. */
const MIN_Q = 2;

/** Search of a list through its indexes. */
export const searchFilter = (found: string, example: string) => ({
  q: z.string().trim().min(MIN_Q).max(255).optional().describe(`Searches, ignoring case: ${found}.`).meta({ example }),
});

const MAX_IDS = 100;

/** Filter by ids. Unknown ids match nothing. */
export const idsFilter = (kind: RecordKind) => ({
  ids: z.array(id(kind)).min(1).max(MAX_IDS).optional().describe(`Filters by up to ${MAX_IDS} IDs.`),
});

/** SQL condition for `idsFilter`. */
export function whatIds(column: string, { ids }: { ids?: readonly string[] | undefined }): RawBuilder<boolean>[] {
  return ids === undefined ? [] : [sql<boolean>`${sql.ref(column)} = any(${ids})`];
}

/** SQL conditions: the columns have the given values. A value that is not given is no condition. */
export function whatValues(values: Readonly<Record<string, string | boolean | undefined>>): RawBuilder<boolean>[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
  );
}

/** Filter by live or test mode. */
export const modeFilter = () =>
  z.boolean().optional().describe('`true`: records of live mode only. `false`: records of test mode only.');

/** Filter of lists that omit archived records by default. */
export const archivedFilter = {
  archived: z.boolean().optional().describe('`true`: archived records only.'),
};

/** Input of an update that restores an archived record. */
export const restoring = { archived_at: z.null().optional().describe('`null` restores the archived record.') };

/** Filters by the time of creation; both ends are inclusive. */
export const createdRange = {
  created_since: timestamp().optional().describe('Returns records created at or after this time.'),
  created_until: timestamp().optional().describe('Returns records created at or before this time.'),
};

/**
 * SQL conditions for `createdRange`. They also restrict the ids, which sort by time of creation. PostgreSQL can then use the list's index to skip
 * rows that were created outside the range.
 */
export function whenCreated(
  kind: RecordKind,
  { created_since, created_until }: { created_since?: string | undefined; created_until?: string | undefined },
): RawBuilder<boolean>[] {
  const idAt = (time: string, slack: number) => firstIdAt(kind, new Date(Math.max(0, Date.parse(time) + slack)));
  return [
    ...(created_since === undefined
      ? []
      : [sql<boolean>`created_at >= ${created_since} and id >= ${idAt(created_since, -ID_SLACK_MS)}`]),
    ...(created_until === undefined
      ? []
      : [sql<boolean>`created_at <= ${created_until} and id < ${idAt(created_until, ID_SLACK_MS)}`]),
  ];
}

/** SQL conditions for `updatedRange`. */
export function whenUpdated(
  column: string,
  { updated_since, updated_until }: { updated_since?: string | undefined; updated_until?: string | undefined },
): RawBuilder<boolean>[] {
  return [
    ...(updated_since === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${updated_since}`]),
    ...(updated_until === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${updated_until}`]),
  ];
}

/** Filters by currency and amount; both ends are inclusive. */
export const amountRange = {
  currency: currency().optional().describe('Filters by currency.'),
  amount_from_cents: signedCents().optional().describe('Returns records with at least this amount.'),
  amount_to_cents: signedCents().optional().describe('Returns records with at most this amount.'),
};

/** SQL conditions for `amountRange`. */
export function amountBetween(
  column: string,
  range: { currency?: string | undefined; amount_from_cents?: number | undefined; amount_to_cents?: number | undefined },
): RawBuilder<boolean>[] {
  const { currency: code, amount_from_cents: from, amount_to_cents: to } = range;
  return [
    ...(code === undefined ? [] : [sql<boolean>`currency = ${code}`]),
    ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${to}`]),
  ];
}

/** SQL condition: all of `conditions` are true. */
export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

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
