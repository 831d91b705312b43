import type { Kysely } from 'kysely';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Pool } from './pool.ts';
import { Session } from './session.ts';

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
  return dialect({
    init: () => Promise.resolve(),
    acquireConnection: () => pool.take(),
    beginTransaction: (connection) => {
      sessionIn(connection).begin();
      return Promise.resolve();
    },
    commitTransaction: (connection) => sessionIn(connection).commit(),
    rollbackTransaction: (connection) => sessionIn(connection).rollback(),
    releaseConnection: (connection) => {
      sessionIn(connection).release();
      return Promise.resolve();
    },
    destroy: () => pool.end(),
  });
}

function sessionIn(connection: DatabaseConnection): Session {
  if (connection instanceof Session) return connection;
  throw new Error('This connection is not from the pool.');
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
