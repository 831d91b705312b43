/**
 * Reads and writes of single records. Every write is explicit: `insert`, `save` and `remove` send their statement when they are called, and a
 * record in memory changes only by `save`. They do not wait for the database: a failed write fails the transaction, so a later statement or the
 * commit rejects with its error.
 */
import { isDeepStrictEqual } from 'node:util';
import { post } from '@affiliate/postgres';
import { JsonType } from '@mikro-orm/core';
import { CompiledQuery, type SelectQueryBuilder, sql } from 'kysely';
import type { Entity, NewRow, Row } from '../db/columns.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { invalid, noSuch, notFound } from '../errors/errors.ts';
import type { RecordName } from '../texts/refusal-words.ts';
import { takeTime } from './call-time.ts';
import type { Ctx, WriteCtx } from './context.ts';
import { type Lockable, type Locked, lockRows } from './locks.ts';
import { visibleTo } from './mode.ts';
import { rowReader, type RowValues, valuesText } from './reference.ts';
import { isTestAccount } from './test-account-id.ts';

type Changes<Of extends Entity> = Partial<Row<Of>>;
type Writer = Pick<WriteCtx, 'db'> & Partial<Pick<WriteCtx, 'records' | 'locks'>>;
type Creator = Pick<WriteCtx, 'db' | 'records'> & Partial<Pick<WriteCtx, 'locks'>>;
type Loader = Pick<WriteCtx, 'db' | 'accountId' | 'records'> & Partial<Pick<WriteCtx, 'principal'>>;

/** The names and texts from which the statements of a table are made. */
interface Table {
  name: string;
  columns: readonly string[];
  /** True if the table has the column of `modeOfAccount`, which PostgreSQL computes. */
  hasModeOfAccount: boolean;
  primaryKey: readonly string[];
  json: ReadonlySet<string>;
  defaults: Readonly<Record<string, unknown>>;
  insert: string;
  /** The texts of inserts with parts, by the table of the parts. */
  insertsWithParts: Map<string, string>;
  /** The texts of updates, by the names of the changed columns. */
  updates: Map<string, string>;
}

const tables = new WeakMap<Entity, Table>();

function tableOf(entity: Entity): Table {
  let table = tables.get(entity);
  if (table === undefined) tables.set(entity, (table = describe(entity)));
  return table;
}

function describe({ meta }: Entity): Table {
  // A property has the name of its column (ARCHITECTURE.md, "One name everywhere").
  const properties = Object.entries(meta.properties as unknown as Record<string, Property>);
  const columns = properties
    .filter(([, { autoincrement, generated }]) => autoincrement !== true && generated === undefined)
    .map(([column]) => column);
  const name = meta.tableName;
  return {
    name,
    columns,
    hasModeOfAccount: properties.some(([column, { generated }]) => column === 'livemode' && generated !== undefined),
    primaryKey: properties.filter(([, { primary }]) => primary === true).map(([column]) => column),
    json: new Set(properties.filter(([, { type }]) => type === JsonType || type instanceof JsonType).map(([column]) => column)),
    defaults: Object.fromEntries(
      properties.filter(([column]) => columns.includes(column)).map(([column, property]) => [column, property.default]),
    ),
    insert: `insert into "${name}" (${quoted(columns).join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    insertsWithParts: new Map(),
    updates: new Map(),
  };
}

interface Property {
  type: unknown;
  primary?: boolean;
  autoincrement?: boolean;
  generated?: unknown;
  default?: unknown;
}

function quoted(columns: readonly string[]): string[] {
  return columns.map((column) => `"${column}"`);
}

/** Returns a value as a parameter of a statement. */
function parameter(table: Table, column: string, value: unknown): unknown {
  return table.json.has(column) && value !== null ? JSON.stringify(value) : value;
}

/** Inserts a record, with the parts that `partsOf` makes of it, and returns it. Columns that `values` leaves out get the default that the entity declares. */
export function insert<Of extends Entity>(
  ctx: Creator,
  entity: Of,
  values: NewRow<Of>,
  partsOf?: (row: Row<Of>) => Parts,
): Locked<Row<Of>> {
  const row = draft(ctx, entity, values);
  store(ctx, entity, row, partsOf?.(row));
  return row;
}

/** Like `insert`, but writes the record only when `store` is called: for a record whose first values depend on decisions about it. */
export function draft<Of extends Entity>({ records }: Creator, entity: Of, values: NewRow<Of>): Locked<Row<Of>> {
  const table = tableOf(entity);
  const given = values as Readonly<Record<string, unknown>>;
  const row: Record<string, unknown> = { ...table.defaults };
  for (const column of table.columns) {
    if (given[column] !== undefined) row[column] = given[column];
    // Objects and lists are copied, so that records do not share defaults.
    else if (typeof row[column] === 'object') row[column] = structuredClone(row[column]);
  }
  if (table.hasModeOfAccount) row['livemode'] = !isTestAccount(row['account_id'] as string);
  const record = records.keep(table.name, row as unknown as { id: unknown });
  records.addDraft(record);
  return record as unknown as Locked<Row<Of>>;
}

/** Rows of another table that belong to a record, such as the lines of a sale. All parts in a table have the same columns. */
export interface Parts {
  table: keyof Tables;
  /** Columns that have the same value in all rows. */
  common: Readonly<Record<string, string | number>>;
  /** Columns in which the rows may differ. */
  columns: readonly string[];
  /** A missing value is null. */
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** Inserts a draft. Does nothing if it is stored already. The parts are inserted by the same statement. */
export function store<Of extends Entity>({ db, records, locks }: Creator, entity: Of, row: Row<Of>, parts?: Parts): void {
  if (!records.endDraft(row)) return;
  const table = tableOf(entity);
  const values = table.columns.map((column) => parameter(table, column, (row as Record<string, unknown>)[column]));
  if (parts === undefined || parts.rows.length === 0) post(db, CompiledQuery.raw(table.insert, values));
  else {
    let text = table.insertsWithParts.get(parts.table);
    if (text === undefined) {
      text = `with parts as (${insertOf(parts, values.length)}) ${table.insert}`;
      table.insertsWithParts.set(parts.table, text);
    }
    post(db, CompiledQuery.raw(text, [...values, ...valuesOf(parts)]));
  }
  const { id } = row as { id?: unknown };
  if (typeof id !== 'string') return;
  records.noteCreated(table.name, id);
  locks?.hold(table.name, [id]);
}

/** Inserts parts of a record that is stored already. */
export function insertParts({ db }: Writer, parts: Parts): void {
  if (parts.rows.length > 0) post(db, CompiledQuery.raw(insertOf(parts, 0), valuesOf(parts)));
}

function valuesOf({ common, rows }: Parts): unknown[] {
  return [JSON.stringify(rows), ...Object.values(common)];
}

/**
 * Returns the text that inserts parts from parameters. It is the same for any number of rows, so that PostgreSQL plans it once.
 *
 * @param before number of parameters before those of the parts
 */
function insertOf({ table, common, columns }: Parts, before: number): string {
  const shared = Object.keys(common);
  const values = [...shared.map((_, i) => `$${before + 2 + i}`), ...quoted(columns)];
  return `insert into "${table}" (${quoted([...shared, ...columns]).join(', ')})
    select ${values.join(', ')} from json_populate_recordset(null::"${table}", $${before + 1}::json)`;
}

/**
 * Writes the changed columns of a record, and sets them on `row`. Sends nothing if `changes` changes nothing, or if `row` is a draft. Checks that the
 * transaction has a lock that protects the record.
 */
export function save<Of extends Entity>({ db, records, locks }: Writer, entity: Of, row: Row<Of>, changes: Changes<Of>): void {
  const table = tableOf(entity);
  const values = changes as Readonly<Record<string, unknown>>;
  const record = row as Record<string, unknown>;
  const changed = Object.keys(values).filter((column) => values[column] !== undefined && !isSame(values[column], record[column]));
  if (changed.length === 0) return;
  if (!records?.isDraft(row)) {
    locks?.assertProtected(table.name, row);
    const parameters = changed.map((column) => parameter(table, column, values[column]));
    post(db, CompiledQuery.raw(updateText(table, changed), [...parameters, ...table.primaryKey.map((column) => record[column])]));
    const previous = Object.fromEntries(changed.map((column) => [column, record[column]]));
    if (typeof record['id'] === 'string') records?.noteChanged(table.name as keyof Tables, record['id'], previous);
  }
  for (const column of changed) record[column] = values[column];
}

/** True if two values are stored as the same. PostgreSQL orders the keys of objects. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && a !== null && (JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(a, b)));
}

function updateText(table: Table, changed: readonly string[]): string {
  const key = changed.join();
  let text = table.updates.get(key);
  if (text === undefined) {
    const assignments = quoted(changed).map((column, index) => `${column} = $${index + 1}`);
    const conditions = quoted(table.primaryKey).map((column, index) => `${column} = $${changed.length + index + 1}`);
    text = `update "${table.name}" set ${assignments.join(', ')} where ${conditions.join(' and ')}`;
    table.updates.set(key, text);
  }
  return text;
}

/**
 * Waits until the writes so far have been executed. For code that handles their failure, since otherwise only a later statement or the commit
 * rejects with the error.
 */
export async function confirmWrites({ db }: Writer): Promise<void> {
  await sql`select`.execute(db);
}

/** Deletes a record. */
export function remove<Of extends Entity>({ db, records }: Creator, entity: Of, row: Row<Of>): void {
  const { name, primaryKey } = tableOf(entity);
  const conditions = quoted(primaryKey).map((column, index) => `${column} = $${index + 1}`);
  const values = primaryKey.map((column) => (row as Record<string, unknown>)[column]);
  records.forget(name, (row as Record<string, unknown>)['id']);
  post(db, CompiledQuery.raw(`delete from "${name}" where ${conditions.join(' and ')}`, values));
}

/** A record that belongs to an account and has an id. */
type AccountEntity = Entity & { meta: { className: string } };

/** Returns the name of an entity for error messages, e.g. "campaign" or "api key". */
function nameOf({ meta }: AccountEntity): RecordName {
  return meta.className.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase() as RecordName;
}

function ofAccount(ctx: Pick<Ctx, 'db' | 'accountId'>, entity: Entity, id: string) {
  // The name of the table is not known to the compiler here, but `id` and `account_id` are columns of every record of an account.
  const db = ctx.db as unknown as Db & { selectFrom(table: string): SelectQueryBuilder<Tables, 'audit_log', object> };
  return db
    .selectFrom(tableOf(entity).name as 'audit_log')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', ctx.accountId);
}

/** Loads the records that a query of the entity's table finds, without locking them. The query selects all columns. */
export async function load<Of extends Entity>(
  { records }: Pick<WriteCtx, 'records'>,
  entity: Of,
  query: { execute(): Promise<Row<Of>[]> },
): Promise<Row<Of>[]> {
  const { name } = tableOf(entity);
  return (await query.execute()).map((row) => records.keep(name, row as { id: unknown }) as Row<Of>);
}

/** Loads the records that a query of the entity's table finds, and locks their rows. The query selects all columns, in a fixed order. */
export async function lockAll<Of extends Entity>(
  ctx: Pick<WriteCtx, 'locks' | 'records'>,
  entity: Of,
  query: Lockable<Row<Of>>,
): Promise<Locked<Row<Of>>[]> {
  const { name } = tableOf(entity);
  const rows = await lockRows<Row<Of>>(ctx, name, query);
  return rows.map((row) => ctx.records.keep(name, row as unknown as { id: unknown }) as unknown as Locked<Row<Of>>);
}

/** Loads a record of the caller's account without locking it, or null if there is none. */
export async function find<Of extends Entity>(ctx: Loader, entity: Of, id: string): Promise<Row<Of> | null> {
  const [row] = await load(ctx, entity, ofAccount(ctx, entity, id) as never);
  return visibleTo(ctx, row) ?? null;
}

/** Loads a record of the caller's account without locking it. Throws if there is none: call it for ids that come from a record of the account. */
export async function get<Of extends Entity>(ctx: Loader, entity: Of, id: string): Promise<Row<Of>> {
  const found = await find(ctx, entity, id);
  if (!found) throw new Error(`The account has no ${nameOf(entity)} ${id}.`);
  return found;
}

/** Like `get`, but does not load a record again that this transaction has loaded already. */
export async function known<Of extends Entity>(ctx: Loader, entity: Of, id: string): Promise<Row<Of>> {
  return (ctx.records.find(tableOf(entity).name, id) as Row<Of> | undefined) ?? get(ctx, entity, id);
}

/**
 * Loads a record of the caller's account and locks its row until the transaction ends. Then sets the time of the change.
 *
 * @throws NOT_FOUND if the record does not exist or is in another account; the caller cannot tell the two apart
 */
export async function lock<Of extends Entity>(ctx: WriteCtx, entity: Of, id: string): Promise<Locked<Row<Of>>> {
  const [found] = await lockAll(ctx, entity, ofAccount(ctx, entity, id) as never);
  if (!found || !visibleTo(ctx, found)) throw notFound(nameOf(entity));
  takeTime(ctx);
  return found;
}

/**
 * Loads a record of the caller's account that an input field refers to, without locking it.
 *
 * @param path the input field, for the error
 * @throws VALIDATION_ERROR naming the field if the record does not exist or is in another account
 */
export async function referenced<Of extends Entity>(ctx: WriteCtx, entity: Of, id: string, path: string): Promise<Row<Of>> {
  const found = await find(ctx, entity, id);
  if (!found) throw invalid(path, noSuch(nameOf(entity)), 'not_found');
  return found;
}

/** Returns a record of the caller's account, for a response. Throws NOT_FOUND. */
export async function getRow<Of extends Entity>(
  ctx: Pick<Ctx, 'db' | 'accountId' | 'principal'>,
  entity: Of,
  id: string,
): Promise<Row<Of>> {
  const row = (await ofAccount(ctx, entity, id).executeTakeFirst()) as Row<Of> | undefined;
  return foundOrThrow(visibleTo(ctx, row), nameOf(entity));
}

/** Returns the row that a read by id found. Throws NOT_FOUND if there is no row. */
export function foundOrThrow<Found>(row: Found | undefined | null, what: RecordName): Found {
  if (row === undefined || row === null) throw notFound(what);
  return row;
}

/** Returns the columns that every new record starts with: id, account, and the time of the call. */
export function newRecordColumns(ctx: Ctx, id: string) {
  return { id, account_id: ctx.accountId, created_at: ctx.copied?.created_at ?? ctx.now, updated_at: ctx.now };
}

/** A record in a `select` that also reads other tables. */
interface SelectedRecord<Record> {
  /** SQL: the record, from the entity's table, which the statement names without an alias; null if there is no row. */
  column: string;
  /** SQL: the same for a subquery that selects from the entity's table alone. */
  ofRow: string;
  /** Returns the record in a row, or null. */
  read: (ctx: Pick<WriteCtx, 'records'>, row: Readonly<globalThis.Record<string, unknown>>) => Record | null;
}

/** Lets one statement load several records: put `column` into its `select`, and call `read` with each row. */
export function selected<Of extends Entity>(entity: Of): SelectedRecord<Row<Of>> {
  const table = tableOf(entity);
  const columns = Object.keys(entity.meta.properties);
  const rowOf = rowReader(entity, columns);
  const isFound = `"${table.name}"."${table.primaryKey[0]}" is not null`;
  const value = valuesText(table.name, columns);
  return {
    column: `case when ${isFound} then ${value} end as "${table.name}"`,
    ofRow: `${value} as "${table.name}"`,
    read: ({ records }, row) => {
      const values = row[table.name] as RowValues | null;
      return values === null ? null : (records.keep(table.name, rowOf(values) as { id: unknown }) as Row<Of>);
    },
  };
}
