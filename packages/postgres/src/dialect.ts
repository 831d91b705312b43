import type { Kysely } from 'kysely';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Pool, Taken } from './pool.ts';

// Shared, because each transaction has a Kysely of its own, and a compiler takes longer to create than to compile a statement.
const compiler = new PostgresQueryCompiler();

/** A Kysely dialect whose connections `driver` takes. */
function dialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => compiler,
  };
}

/** The dialect of a pool: each statement, or each transaction that Kysely begins, takes a connection. */
export function dialectOfPool(pool: Pool): Dialect {
  const taken = new Map<DatabaseConnection, Taken>();
  const sessionOf = (connection: DatabaseConnection) => taken.get(connection)!.session;
  return dialect({
    init: () => Promise.resolve(),
    acquireConnection: async () => {
      const next = await pool.take();
      taken.set(next.session, next);
      return next.session;
    },
    beginTransaction: (connection) => {
      sessionOf(connection).begin();
      return Promise.resolve();
    },
    commitTransaction: (connection) => sessionOf(connection).commit(),
    rollbackTransaction: (connection) => sessionOf(connection).rollback(),
    releaseConnection: (connection) => {
      taken.get(connection)?.release();
      taken.delete(connection);
      return Promise.resolve();
    },
    destroy: () => pool.end(),
  });
}

/** The dialect of one connection, for the statements of one transaction. */
export function dialectOfConnection(connection: DatabaseConnection): Dialect {
  const nested = () => Promise.reject(new Error('A transaction is open already.'));
  return dialect({
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nested,
    commitTransaction: nested,
    rollbackTransaction: nested,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  });
}
