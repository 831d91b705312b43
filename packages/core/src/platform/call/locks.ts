import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { LockLedger, Locks } from '../db/lock-order.ts';
import { takeTime } from './call-time.ts';
import type { Ctx, WriteCtx } from './context.ts';

type LockName = keyof Locks;

declare const HELD: unique symbol;

/**
 * Proof that the transaction holds a lock. Functions that need a lock take such a value, and only the functions that take the lock return one.
 * It is valid until the transaction ends.
 */
export interface Held<Name extends LockName> {
  readonly [HELD]: Name;
  /** Ids of the locked rows, or the subject of an advisory lock. */
  readonly of: ReadonlySet<string>;
}

declare const LOCKED: unique symbol;

/** A record whose row this transaction has locked or created, so that nobody else changes it until the transaction ends. */
export type Locked<Row> = Row & { readonly [LOCKED]: true };

/**
 * Marks a record that a lock protects although its row is not locked: nobody changes the record without that lock, e.g. a sale of a locked affiliate. `save`
 * checks that the transaction has the lock.
 */
export function protectedRow<Row>(row: Row): Locked<Row> {
  return row as Locked<Row>;
}

type Scope = Pick<WriteCtx, 'db' | 'accountId' | 'locks'>;
type Timed = Scope & Pick<Ctx, 'now' | 'clock'>;

/** Makes the value that proves a lock. Only for functions that take locks. */
export function held<Name extends LockName>(
  { locks }: { locks?: LockLedger | undefined },
  name: Name,
  about: Iterable<string>,
): Held<Name> {
  const of = new Set(about);
  locks?.hold(name, of);
  return { of } as unknown as Held<Name>;
}

/**
 * Takes an advisory lock, waiting while another transaction holds it, then sets the time of the caller's change (`takeTime`).
 *
 * @param about what the lock protects, if the account has several locks of this name
 */
export async function advisoryLock<Name extends LockName>(ctx: Timed, name: Name, about = ''): Promise<Held<Name>> {
  ctx.locks.note(name);
  await sql`select pg_advisory_xact_lock(${keyOf(ctx, name, about)})`.execute(ctx.db);
  takeTime(ctx);
  return held(ctx, name, [about]);
}

/**
 * Takes the lock in shared mode, then sets the time of the caller's change (`takeTime`). Waits while another transaction holds the lock exclusively,
 * or already waits for the exclusive lock.
 */
export async function sharedAdvisoryLock<Name extends LockName>(ctx: Timed, name: Name, about = ''): Promise<Held<Name>> {
  ctx.locks.note(name);
  await sql`select pg_advisory_xact_lock_shared(${keyOf(ctx, name, about)})`.execute(ctx.db);
  takeTime(ctx);
  return held(ctx, name, [about]);
}

/** Takes several locks of one name in one statement, in a fixed order, so that two such calls cannot deadlock. */
export async function advisoryLocks<Name extends LockName>(
  ctx: Scope,
  name: Name,
  about: readonly string[],
): Promise<Held<Name>> {
  ctx.locks.note(name);
  const texts = about.map((each) => lockText(ctx, name, each)).toSorted();
  await sql`select pg_advisory_xact_lock(hashtextextended(text, 0)) from unnest(${texts}::text[]) text`.execute(ctx.db);
  return held(ctx, name, about);
}

/** Takes the lock if it is free, without waiting. Returns null if another transaction holds it. */
export async function tryAdvisoryLock<Name extends LockName>(ctx: Scope, name: Name, about = ''): Promise<Held<Name> | null> {
  ctx.locks.note(name);
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(ctx, name, about)}) as locked`.execute(ctx.db);
  return rows[0]?.locked === true ? held(ctx, name, [about]) : null;
}

function lockText({ accountId }: Pick<Scope, 'accountId'>, name: LockName, about: string): string {
  return `${accountId} ${name} ${about}`;
}

function keyOf(scope: Scope, name: LockName, about: string): RawBuilder<unknown> {
  return sql`hashtextextended(${lockText(scope, name, about)}, 0)`;
}

/**
 * Takes an advisory lock outside any account's call: for work of the service itself. Waits while another transaction holds it. It is released when
 * the transaction of `db` ends.
 */
export async function serviceLock(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** A Kysely query that can lock the rows that it finds. */
export interface Lockable<Row> {
  forNoKeyUpdate(): { execute(): Promise<Row[]> };
}

/** Locks the row that a query of one table finds, until the transaction ends, and returns it as it is under the lock. Null if there is none. */
export async function lockRow<Row>(ctx: Pick<Scope, 'locks'>, table: string, query: Lockable<Row>): Promise<Locked<Row> | null> {
  const [row] = await lockRows(ctx, table, query);
  return row ?? null;
}

/** Locks the rows that a query of one table finds, in the order of the query, which must be fixed. */
export async function lockRows<Row>(ctx: Pick<Scope, 'locks'>, table: string, query: Lockable<Row>): Promise<Locked<Row>[]> {
  ctx.locks.note(table);
  const rows = await query.forNoKeyUpdate().execute();
  ctx.locks.hold(
    table,
    rows.flatMap((row) => (row as { id?: string }).id ?? []),
  );
  return rows as Locked<Row>[];
}
