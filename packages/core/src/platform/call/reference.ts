import { sql } from 'kysely';
import { type Entity, type Row as RowOfEntity } from '../db/columns.ts';
import type { Db } from '../db/database.ts';
import { InstantType, instantFromDatabase } from '../time/instant.ts';

/** Describes how a record appears inside other records: its columns, the records nested in it, and the conversion to its wire form. */
export interface Target<Value> {
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns that hold instants. */
  readonly instants: ReadonlySet<string>;
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
type RowOf<Of extends Entity, Column extends keyof RowOfEntity<Of>, Refers> = Pick<RowOfEntity<Of>, Column> & {
  [Name in keyof Refers]: ValueOf<Refers[Name]> | null;
};

/** Declares how a record appears inside other records. */
export function target<
  Of extends Entity,
  const Column extends keyof RowOfEntity<Of> & string,
  const Refers extends References,
  Value,
>(
  { meta }: Of,
  columns: readonly Column[],
  references: Refers,
  record: (row: RowOf<Of, Column, Refers>) => Value,
): TargetOf<RowOf<Of, Column, Refers>, Value> {
  const properties = meta.properties as unknown as Readonly<Record<string, { type: unknown }>>;
  const instants = new Set(columns.filter((column) => isInstant(properties[column]!.type)));
  return { table: meta.tableName, columns, instants, references, record };
}

function isInstant(type: unknown): boolean {
  return type === InstantType || type instanceof InstantType;
}

/**
 * SQL: the referenced record of the rows aliased `from`, as a JSON array of its columns and the records nested in it; null if there is none.
 * One value per record instead of one per column, because `pg` and PostgreSQL describe every column of every result.
 */
export function referenceText(from: string, path: string, { column, to }: Reference): string {
  return `(select ${valuesText(to, path)} from ${quoted(to.table)} ${quoted(path)} where ${quoted(path)}.id = ${quoted(from)}.${quoted(column)})`;
}

function valuesText({ columns, references }: Target<unknown>, path: string): string {
  const own = columns.map((column) => `${quoted(path)}.${quoted(column)}`);
  const nested = Object.entries(references).map(([name, reference]) => referenceText(path, `${path}.${name}`, reference));
  return `json_build_array(${[...own, ...nested].join(', ')})`;
}

/** The parsed value of `referenceText`. */
export type ReferenceValues = readonly unknown[] | null;

/** Returns a function that reads the record from the value of `referenceText`. */
export function reader<Value>({
  columns,
  instants,
  references,
  record,
}: Target<Value>): (values: ReferenceValues) => Value | null {
  const others = Object.entries(references).map(([name, { to }]) => [name, reader(to)] as const);
  return (values) => {
    if (values === null) return null;
    const found: Row = {};
    for (const [index, column] of columns.entries()) {
      const value = values[index];
      found[column] = value !== null && instants.has(column) ? instantFromDatabase(value as string) : value;
    }
    for (const [index, [name, read]] of others.entries()) found[name] = read(values[columns.length + index] as ReferenceValues);
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
  const read = reader(to);
  const { rows } = await sql<{ id: string; found: ReferenceValues }>`
    select id, ${sql.raw(valuesText(to, to.table))} as found from ${sql.table(to.table)} where id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, found }) => [id, read(found)!]));
}

/** Quotes a name without escaping it, because all names are constants in the code. */
function quoted(name: string): string {
  return `"${name}"`;
}
