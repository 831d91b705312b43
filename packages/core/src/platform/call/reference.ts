import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { TableRow, Tables } from '../db/tables.ts';

/** A record as others show it: its columns, the records that it shows in turn, and its wire form. */
export interface Target<Value> {
  readonly table: string;
  readonly columns: readonly string[];
  readonly references: References;
  readonly record: (row: never) => Value;
}

/** A target whose own row can be given, for a record that is at hand. */
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

/** Declares a record that others show. `columns` must include `id`. */
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
 * The join that finds a reference of the rows aliased `from`, under the alias `path`. Its columns are named `<path>.<column>`, so that they
 * collide with none. It is lateral and finds at most one row by its id, for each row in turn, whatever number of rows the planner expects.
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

/** Reads a record from the columns of a row that `joinText` added. Null when there is none. */
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

/** The named columns of a record at hand. */
export function pickColumns<Record, const Name extends keyof Record>(record: Record, names: readonly Name[]): Pick<Record, Name> {
  const picked: Partial<Pick<Record, Name>> = {};
  for (const name of names) picked[name] = record[name];
  return picked as Pick<Record, Name>;
}

/** Finds records by id, with all that they show, in one statement. */
export async function findTargets<Value>(db: Db, to: Target<Value>, ids: readonly string[]): Promise<Map<string, Value>> {
  const read = reader(to, to.table);
  const { rows } = await sql<Row>`
    select ${sql.raw(columnsText(to, to.table))} from ${sql.table(to.table)} ${sql.raw(joinsText(to, to.table))}
    where ${sql.ref(`${to.table}.id`)} = any(${ids})`.execute(db);
  return new Map(rows.map((row) => [row[`${to.table}.id`] as string, read(row)!]));
}

/** Names are constants of the code. */
function quoted(name: string): string {
  return `"${name}"`;
}
