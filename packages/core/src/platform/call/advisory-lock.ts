import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import { WITHOUT_WAITING } from '../db/prepared-statements.ts';
import { takeTime } from './take-time.ts';

/**
 * Advisory locks of an account, for decisions that depend on rows which do not exist yet and therefore cannot be locked.
 *
 * Key space: PostgreSQL has one space of 64-bit keys per database. The key of a lock in this file is the hash of the account id and `name`. A name
 * starts with what it protects (`campaign slug`, `sale <id>`), so that two features never use the same lock. If two names have the same hash, their
 * holders only wait for each other. Two other parts of the service use this key space, with locks that belong to a session instead of a transaction:
 * migrations (`platform/db/migrate.ts`) and the worker's endpoints (`packages/worker/src/endpoint-locks.ts`).
 *
 * Release: at the end of the transaction, by commit, by rollback, or because the process or its connection died. Nothing releases a lock earlier, so
 * a transaction that takes several locks must take them in a fixed order.
 */
type LockScope = Pick<Ctx, 'db' | 'accountId'>;

/**
 * Takes the lock, waiting while another transaction holds it, then sets the time of the caller's change (`takeTime`). `ctx.db` must be a transaction.
 */
export async function advisoryLock(ctx: LockScope & Pick<Ctx, 'now' | 'clock'>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(ctx, name)})`.execute(ctx.db);
  takeTime(ctx);
}

/**
 * Like `advisoryLock`, but the request for the lock is sent together with the caller's next statement, which runs once the lock is held. After that
 * statement, the caller must set the time of its change (`takeTime`).
 */
export async function advisoryLockAhead(ctx: LockScope, name: string): Promise<void> {
  await sql`${sql.raw(WITHOUT_WAITING)} select pg_advisory_xact_lock(${keyOf(ctx, name)})`.execute(ctx.db);
}

/**
 * Takes the lock in shared mode, then sets the time of the caller's change (`takeTime`). Waits while another transaction holds the lock exclusively,
 * or already waits for the exclusive lock.
 */
export async function sharedAdvisoryLock(ctx: LockScope & Pick<Ctx, 'now' | 'clock'>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(ctx, name)})`.execute(ctx.db);
  takeTime(ctx);
}

/** Takes several locks in one statement, in the order of their names, so that two such calls cannot deadlock. */
export async function advisoryLocks(ctx: LockScope, names: readonly string[]): Promise<void> {
  const scoped = names.toSorted().map((name) => `${ctx.accountId} ${name}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${scoped}::text[]) name`.execute(ctx.db);
}

/** Takes the lock if it is free, without waiting, and returns whether it did. `ctx.db` must be a transaction. */
export async function tryAdvisoryLock(ctx: LockScope, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${keyOf(ctx, name)}) as locked`.execute(
    ctx.db,
  );
  return rows[0]?.locked === true;
}

function keyOf({ accountId }: LockScope, name: string) {
  return sql`hashtextextended(${`${accountId} ${name}`}, 0)`;
}
