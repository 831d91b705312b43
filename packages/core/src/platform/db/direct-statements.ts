import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** The connection of each open transaction. */
const connections = new WeakMap<object, DatabaseConnection>();

/** Runs `work` inside a transaction. While it runs, `executeDirectly` uses the connection of that transaction. */
export async function withConnection<T>(transaction: Db, work: () => Promise<T>): Promise<T> {
  await transaction.getExecutor().provideConnection(async (connection) => void connections.set(transaction, connection));
  try {
    return await work();
  } finally {
    connections.delete(transaction);
  }
}

/**
 * Executes a compiled statement. Inside a transaction, sends it straight to the connection and skips eight asynchronous functions of Kysely that do
 * nothing for such a statement.
 */
export function executeDirectly<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const connection = connections.get(db);
  return connection === undefined ? db.executeQuery(query) : connection.executeQuery<Row>(query);
}
