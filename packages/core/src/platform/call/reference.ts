/**
 * Rows as single values of a result, and records inside other records. `pg` and PostgreSQL describe every column of every result, so a statement that reads
 * records of several tables selects one value per record instead of one per column.
 */
import { sql } from 'kysely';
import type { Entity, Row as RowOfEntity } from '../db/columns.ts';
import { instantFromDatabase, InstantType } from '../time/instant.ts';
import type { Ctx, Services } from './context.ts';

/** The parsed value of `valuesText`. */
export type RowValues = readonly unknown[];

/** SQL: columns of the rows aliased `from`, and further expressions, as one JSON array. */
export function valuesText(from: string, columns: readonly string[], others: readonly string[] = []): string {
  return `json_build_array(${[...columns.map((column) => `${quoted(from)}.${quoted(column)}`), ...others].join(', ')})`;
}

/**
 * Returns a function that makes a row from the value of `valuesText`.
 *
 * @param others names of properties that the caller will set. Until then, they are null
 */
export function rowReader(
  { meta }: Entity,
  columns: readonly string[],
  others: readonly string[] = [],
): (values: RowValues) => Record<string, unknown> {
  const properties = meta.properties as unknown as Readonly<Record<string, { type: unknown }>>;
  const fields = columns.map((name) => ({ name, isInstant: isInstant(properties[name]!.type) }));
  // Copying a complete row takes less time than adding its many properties one by one.
  const empty: Record<string, unknown> = Object.fromEntries([...columns, ...others].map((name) => [name, null]));
  return (values) => {
    const row = { ...empty };
    fields.forEach(({ name, isInstant: isText }, at) => {
      const value = values[at];
      row[name] = isText && value !== null ? instantFromDatabase(value as string) : value;
    });
    return row;
  };
}

function isInstant(type: unknown): boolean {
  return type === InstantType || type instanceof InstantType;
}

/** Quotes a name without escaping it, because all names are constants in the code. */
function quoted(name: string): string {
  return `"${name}"`;
}

/** Describes how a record appears inside other records: its columns, the records nested in it, and the conversion to its wire form. */
export interface Target<Value> {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly references: References;
  readonly computed: Computed;
  readonly record: (row: never, services: RecordServices) => Value;
}

/** A target with a typed conversion, so that callers can convert a row that they have already loaded. */
export type TargetOf<Convert extends (row: never, services: RecordServices) => unknown> = Target<ReturnType<Convert>> & {
  readonly record: Convert;
};

/** The services that the conversion of a record may use. */
type RecordServices = Pick<Services, 'secrets'>;

/** SQL of properties of a row that are not columns, for an alias of the table. */
type Computed = Readonly<Record<string, (alias: string) => string>>;

/** A column that holds the id of another record, or null. */
export interface Reference<Value = unknown> {
  readonly column: string;
  readonly to: Target<Value>;
}

type References = Readonly<Record<string, Reference>>;
type ValueOf<Refers> = Refers extends Reference<infer Value> ? Value : never;
type RowOf<Of extends Entity, Column extends keyof RowOfEntity<Of>, Refers> = Pick<RowOfEntity<Of>, Column> & {
  [Name in keyof Refers]: ValueOf<Refers[Name]> | null;
};

/** Declares how a record appears inside other records. */
export function target<
  Of extends Entity,
  const Column extends keyof RowOfEntity<Of> & string,
  const Refers extends References,
  // oxlint-disable-next-line typescript/no-explicit-any -- the row also has the computed properties, whose types are those of their SQL
  Convert extends (row: RowOf<Of, Column, Refers> & Record<keyof Extra, any>, services: RecordServices) => unknown,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a record without computed properties has none
  const Extra extends Computed = Record<never, () => string>,
>(entity: Of, columns: readonly Column[], references: Refers, record: Convert, computed: Extra = {} as Extra): TargetOf<Convert> {
  return { entity, columns, references, computed, record } as never;
}

/** SQL: the referenced record of the rows aliased `from`, with the records nested in it, as one value (`reader`); null if there is none. */
export function referenceText(from: string, path: string, { column, to }: Reference): string {
  const table = quoted(to.entity.meta.tableName);
  return `(select ${nestedText(to, path)} from ${table} ${quoted(path)} where ${quoted(path)}.id = ${quoted(from)}.${quoted(column)})`;
}

function nestedText({ columns, references, computed }: Target<unknown>, path: string): string {
  const nested = Object.entries(references).map(([name, reference]) => referenceText(path, `${path}.${name}`, reference));
  return valuesText(path, columns, [...nested, ...Object.values(computed).map((text) => text(quoted(path)))]);
}

/** The parsed value of `referenceText`. */
export type ReferenceValues = RowValues | null;

/** Returns a function that reads the record from the value of `referenceText`. */
export function reader<Value>({
  entity,
  columns,
  references,
  computed,
  record,
}: Target<Value>): (values: ReferenceValues, services: RecordServices) => Value | null {
  const others = Object.entries(references).map(([name, { to }]) => ({ name, read: reader(to) }));
  const extra = Object.keys(computed);
  const rowOf = rowReader(entity, columns, [...Object.keys(references), ...extra]);
  return (values, services) => {
    if (values === null) return null;
    const row = rowOf(values);
    others.forEach(({ name, read }, at) => (row[name] = read(values[columns.length + at] as ReferenceValues, services)));
    extra.forEach((name, at) => (row[name] = values[columns.length + others.length + at]));
    return record(row as never, services);
  };
}

/** Returns the named columns of a record. */
export function pickColumns<Record, const Name extends keyof Record>(record: Record, names: readonly Name[]): Pick<Record, Name> {
  const picked: Partial<Pick<Record, Name>> = {};
  for (const name of names) picked[name] = record[name];
  return picked as Pick<Record, Name>;
}

/** Finds records by id, together with the records nested in them, in one statement. */
export async function findTargets<Value>(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  to: Target<Value>,
  ids: readonly string[],
): Promise<Map<string, Value>> {
  const read = reader(to);
  const table = to.entity.meta.tableName;
  const { rows } = await sql<{ id: string; found: ReferenceValues }>`
    select id, ${sql.raw(nestedText(to, table))} as found from ${sql.table(table)} where id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, found }) => [id, read(found, services)!]));
}
