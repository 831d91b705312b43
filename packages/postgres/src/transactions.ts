import { type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { holdingTurn } from './admission.ts';
import { dialectOfConnection, dialectOfPool } from './dialect.ts';
import type { Pool } from './pool.ts';
import { TransactionSession } from './session.ts';

/** The session of each open transaction. */
const sessions = new WeakMap<object, TransactionSession>();
/** The pool of each Kysely that executes its statements outside of transactions. */
const pools = new WeakMap<object, Pool>();

/** Returns Kysely on a pool: each statement takes a connection. */
export function kyselyOf<Tables>(pool: Pool): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: dialectOfPool(pool) });
  pools.set(db, pool);
  return db;
}

/**
 * Runs `work` in one transaction. Commits when `work` returns, rolls back when it throws. What `work` has sent and not awaited is part of the
 * transaction, because PostgreSQL executes statements in the order in which they were sent.
 */
export async function inTransaction<Tables, T>(pool: Pool, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const session = await pool.take();
  const own = new TransactionSession(session);
  const db = new Kysely<Tables>({ dialect: dialectOfConnection(own) });
  sessions.set(db, own);
  session.begin();
  try {
    const result = await holdingTurn(() => work(db));
    own.end();
    await session.commit();
    return result;
  } catch (error) {
    own.end();
    await session.rollback();
    throw error;
  } finally {
    session.release();
  }
}

/**
 * Executes a compiled statement. In a transaction, sends it before returning. Skips the eight asynchronous functions of Kysely that do nothing for
 * such a statement.
 */
export function execute<Row, Tables = unknown>(db: Kysely<Tables>, statement: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const session = sessions.get(db);
  if (session !== undefined) return session.executeQuery(statement);
  const pool = pools.get(db);
  return pool === undefined ? db.executeQuery(statement) : executeOn(pool, statement);
}

async function executeOn<Row>(pool: Pool, statement: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const session = await pool.take();
  try {
    return await session.execute<Row>(statement);
  } finally {
    session.release();
  }
}

/**
 * Sends a statement of a transaction whose result nobody needs, e.g. an insert. Returns at once. If the statement fails, the next awaited
 * statement of the transaction or its commit rejects with the error.
 */
export function post<Tables>(db: Kysely<Tables>, statement: CompiledQuery): void {
  const session = sessions.get(db);
  if (session === undefined) throw new Error('Only a statement of a transaction can be posted.');
  session.post(statement);
}
