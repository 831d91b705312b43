import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { isInstant } from '../time/instant.ts';
import { ID_PREFIXES, type RecordKind, isPossibleId } from './ids.ts';
import { MAX_SORTED_BY_AMOUNT } from './limits.ts';

type Sort<Column extends string> = Column | 'created_at' | `-${Column | 'created_at'}`;

/** Orders of a list by the times of creation and change, for lists that have an order of their own, too. */
export const CREATED_OR_UPDATED = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const;

/**
 * Returns the input field `sort` of a list. It names `created_at` or one of `columns`; a leading minus means descending order. Every column must
 * have an index, except amounts.
 */
export function sortBy<const Column extends string = never>(
  ...columns: Column[]
): { sort: z.ZodDefault<z.ZodEnum<{ [Value in Sort<Column>]: Value }>> } {
  const amount = columns.find((column) => column.endsWith('_cents'));
  const values = ['created_at', ...columns].flatMap((column) => [`-${column}`, column]);
  return {
    sort: z
      .enum(Object.fromEntries(values.map((value) => [value, value])) as { [Value in Sort<Column>]: Value })
      .default('-created_at' as never)
      .describe(
        amount === undefined
          ? 'Order of the records. A leading minus means descending.'
          : `Order of the records. A leading minus means descending. Order by \`${amount}\` requires at most ${MAX_SORTED_BY_AMOUNT.toLocaleString('en-US')} records, all of one currency.`,
      ),
  };
}

/**
 * For columns that are not sorted by their plain value, the expression to sort by, e.g. the value in lower case. By column name. A position in the
 * list is compared through the same expression.
 */
type Folded = Readonly<Record<string, (value: RawBuilder<unknown>) => RawBuilder<unknown>>>;

/** The key by which a list is sorted, before the id. */
interface Sorted {
  /** SQL of the value of a row. */
  readonly own: RawBuilder<unknown>;
  /** Returns SQL of a value, to compare it with `own`. */
  readonly given: (value: string) => RawBuilder<unknown>;
  /** Reports whether the database can compare a text with `own`. */
  readonly isValue: (text: string) => boolean;
}

/** The order of a list: by a column, then by id, so that every record has one place. */
export interface Order {
  /** Column that the list is sorted by, and property of the rows with its value. */
  readonly column: string;
  readonly isDescending: boolean;
  /** Null if the list is sorted by id alone. Ids sort by time of creation. */
  readonly sorted: Sorted | null;
  /** Beginning of the ids of the records. */
  readonly prefix: string;
  /** Name of the column with the id. */
  readonly id: string;
  /** Property of the rows with the id. */
  readonly idProperty: string;
}

interface OrderOptions {
  /** Table, or its alias, that has the columns. */
  table: string;
  /** Kind of the records, if the table is not named after it. */
  kind?: RecordKind;
  /** Column with the id. Ids of other records do not sort by the time at which this record was created. Default: `id`. */
  id?: string;
  /** Property of the rows with the id, if it is not the name of the column. */
  idProperty?: string;
  folded?: Folded;
  /** The expression by which the list is sorted, if it is not a column. */
  sorted?: Sorted;
}

/** Returns the order that `sort` names: a column, with a minus in front for descending order. */
export function listOrder(
  sort: string,
  { table, kind = table as RecordKind, id = 'id', idProperty = id, folded = {}, sorted }: OrderOptions,
): Order {
  const column = sort.replace(/^-/, '');
  const fold = folded[column] ?? ((value) => value);
  const byColumn: Sorted = {
    own: fold(sql.ref(`${table}.${column}`)),
    given: (value) => fold(sql`${value}`),
    isValue: (text) => isValueOf(column, text),
  };
  return {
    column,
    isDescending: sort.startsWith('-'),
    sorted: column === 'created_at' && id === 'id' ? null : (sorted ?? byColumn),
    prefix: `${ID_PREFIXES[kind]}_`,
    id: `${table}.${id}`,
    idProperty,
  };
}

/** Returns the order from the last record to the first. */
export function reversed(order: Order): Order {
  return { ...order, isDescending: !order.isDescending };
}

/** Sorts a query. */
export function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { sorted, id, isDescending }: Order,
): SelectQueryBuilder<DB, TB, Row> {
  const direction = isDescending ? 'desc' : 'asc';
  const first = sorted === null ? query : query.orderBy(sorted.own, direction);
  return first.orderBy(sql.ref(id), direction);
}

/** The place of a record in a list. */
export interface Position {
  id: string;
  /** Value of the sorted column. Null if the list is sorted by id alone. */
  value: string | null;
}

/** SQL condition: the record stands behind the position. An index on the column and the id finds the first such record directly. */
export function isBehind({ sorted, id, isDescending }: Order, position: Position): RawBuilder<boolean> {
  const [own, given] =
    sorted === null
      ? [sql.ref(id), sql`${position.id}`]
      : [sql`(${sorted.own}, ${sql.ref(id)})`, sql`(${sorted.given(position.value!)}, ${position.id})`];
  return isDescending ? sql<boolean>`${own} < ${given}` : sql<boolean>`${own} > ${given}`;
}

/**
 * Returns the cursor of a row: its position as text. It is the id if the list is sorted by id alone. Otherwise it also contains the value, because
 * the value in the database may have changed before the next part of the list is read.
 */
export function cursorOf(row: object, { column, sorted, idProperty }: Order): string {
  const { [column]: value, [idProperty]: id } = row as Readonly<Record<string, unknown>>;
  return sorted === null ? String(id) : Buffer.from(JSON.stringify([column, String(value), id])).toString('base64url');
}

/** Parses a cursor. Throws VALIDATION_ERROR, with the path of the input field, if it is not a cursor of this order. */
export function readCursor(cursor: string, { column, sorted, prefix }: Order, path: string): Position {
  const position = sorted === null ? plain(cursor, prefix) : decoded(cursor, column, sorted);
  if (position === null || !/^[a-z0-9_]+$/.test(position.id) || !isPossibleId(position.id))
    throw invalid(path, PLATFORM_REASONS.unknown_cursor, 'invalid_format');
  return position;
}

/** An id of another kind is no position: it would return the whole list, or nothing of it. */
function plain(cursor: string, prefix: string): Position | null {
  return cursor.startsWith(prefix) ? { id: cursor, value: null } : null;
}

function decoded(cursor: string, column: string, { isValue }: Sorted): Position | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string')) return null;
  const [name, value, id] = parts as [string, string, string];
  return name === column && isValue(value) ? { id, value } : null;
}

/** Reports whether the database can compare a text with the column. */
function isValueOf(column: string, value: string): boolean {
  if (column.endsWith('_at')) return isInstant(value);
  if (column.endsWith('_cents') || column === 'sequence') return /^-?\d{1,16}$/.test(value);
  return !value.includes('\0') && value.isWellFormed();
}

/**
 * Checks that a list can be sorted by `sort`. Only sorting by amount is restricted (docs/rules/platform.md#lists).
 *
 * @param query the list with its filters
 * @throws VALIDATION_ERROR if the list has more than `limit` records or several currencies
 */
export async function checkAmountOrder<DB, TB extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Row>,
  sort: string,
  limit = MAX_SORTED_BY_AMOUNT,
): Promise<void> {
  if (!sort.endsWith('amount_cents')) return;
  const found = query
    .clearSelect()
    .select(sql.ref<string>('currency').as('currency'))
    .limit(sql.lit(limit + 1));
  const { rows } = await sql<{ records: number; first: string | null; last: string | null }>`
    select count(*) as records, min(currency) as first, max(currency) as last from (${found}) found`.execute(db);
  const { records, first, last } = rows[0]!;
  if (first !== last) {
    const message = PLATFORM_REASONS.several_currencies({ currency: first ?? '' });
    throw invalid('currency', message, 'several_currencies');
  }
  if (records > limit) {
    const message = PLATFORM_REASONS.too_many_to_sort({ max: limit.toLocaleString('en-US') });
    throw invalid('sort', message, 'too_many_records');
  }
}
