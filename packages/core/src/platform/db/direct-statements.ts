import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** The connections of the transactions under way. */
const connections = new WeakMap<object, DatabaseConnection>();

/** Runs the work of a transaction, whose statements `executeDirectly` sends. */
export async function withConnection<T>(transaction: Db, work: () => Promise<T>): Promise<T> {
  await transaction.getExecutor().provideConnection(async (connection) => void connections.set(transaction, connection));
  try {
    return await work();
  } finally {
    connections.delete(transaction);
  }
}

/**
 * Executes a statement that is built. In a transaction it goes to the connection itself: Kysely leads it there through eight asynchronous functions,
 * which find nothing to do.
 */
export function executeDirectly<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const connection = connections.get(db);
  return connection === undefined ? db.executeQuery(query) : connection.executeQuery<Row>(query);
}
