import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { TableRow, Tables } from '../db/tables.ts';

/** Describes how a record appears inside other records: its columns, the records nested in it, and the conversion to its wire form. */
export interface Target<Value> {
  readonly table: string;
  readonly columns: readonly string[];
  readonly references: References;
  readonly record: (row: never) => Value;
}

/** A target with a typed row, so that callers can convert a row that they have already loaded. */
export interface TargetOf<Row, Value> extends Target<Value> {
  readonly record: (row: Row) => Value;
}

/** A column that holds the id of another record, or null. */
export interface Reference<Value = unknown> {
  readonly column: string;
  readonly to: Target<Value>;
}

type References = Readonly<Record<string, Reference>>;
type ValueOf<Refers> = Refers extends Reference<infer Value> ? Value : never;
type Row = Record<string, unknown>;
type RowOf<Table extends keyof Tables, Column extends keyof TableRow<Table>, Refers> = Pick<TableRow<Table>, Column> & {
  [Name in keyof Refers]: ValueOf<Refers[Name]> | null;
};

/** Declares how a record appears inside other records. `columns` must include `id`. */
export function target<
  Table extends keyof Tables,
  const Column extends keyof TableRow<Table> & string,
  const Refers extends References,
  Value,
>(
  table: Table,
  columns: readonly Column[],
  references: Refers,
  record: (row: RowOf<Table, Column, Refers>) => Value,
): TargetOf<RowOf<Table, Column, Refers>, Value> {
  return { table, columns, references, record };
}

/**
 * Returns a join that adds the referenced record to the rows aliased `from`. The record has the alias `path`, and its columns are named
 * `<path>.<column>`, so that they do not collide with other columns. The join is lateral with `limit 1`, so that PostgreSQL looks up each
 * record by its id, however many rows the planner expects.
 */
export function joinText(from: string, path: string, { column, to }: Reference): string {
  return `left join lateral (select ${columnsText(to, path)} from ${quoted(to.table)} ${quoted(path)} ${joinsText(to, path)}
    where ${quoted(path)}.id = ${quoted(from)}.${quoted(column)} limit 1) ${quoted(path)} on true`;
}

function columnsText({ columns, references }: Target<unknown>, path: string): string {
  const own = columns.map((column) => `${quoted(path)}.${quoted(column)} as ${quoted(`${path}.${column}`)}`);
  return [...own, ...Object.keys(references).map((name) => `${quoted(`${path}.${name}`)}.*`)].join(', ');
}

function joinsText({ references }: Target<unknown>, path: string): string {
  return Object.entries(references)
    .map(([name, reference]) => joinText(path, `${path}.${name}`, reference))
    .join(' ');
}

/**
 * Returns a function that reads the record from the columns that `joinText` added to a row. The function returns null if no record was
 * joined.
 */
export function reader<Value>({ columns, references, record }: Target<Value>, path: string): (row: Row) => Value | null {
  const own = columns.map((column) => [column, `${path}.${column}`] as const);
  const others = Object.entries(references).map(([name, { to }]) => [name, reader(to, `${path}.${name}`)] as const);
  return (row) => {
    if (row[`${path}.id`] === null) return null;
    const found: Row = {};
    for (const [column, key] of own) found[column] = row[key];
    for (const [name, read] of others) found[name] = read(row);
    return record(found as never);
  };
}

/** Returns the named columns of a record. */
export function pickColumns<Record, const Name extends keyof Record>(record: Record, names: readonly Name[]): Pick<Record, Name> {
  const picked: Partial<Pick<Record, Name>> = {};
  for (const name of names) picked[name] = record[name];
  return picked as Pick<Record, Name>;
}

/** Finds records by id, together with the records nested in them, in one statement. */
export async function findTargets<Value>(db: Db, to: Target<Value>, ids: readonly string[]): Promise<Map<string, Value>> {
  const read = reader(to, to.table);
  const { rows } = await sql<Row>`
    select ${sql.raw(columnsText(to, to.table))} from ${sql.table(to.table)} ${sql.raw(joinsText(to, to.table))}
    where ${sql.ref(`${to.table}.id`)} = any(${ids})`.execute(db);
  return new Map(rows.map((row) => [row[`${to.table}.id`] as string, read(row)!]));
}

/** Quotes a name without escaping it, because all names are constants in the code. */
function quoted(name: string): string {
  return `"${name}"`;
}
