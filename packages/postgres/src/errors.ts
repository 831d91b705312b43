/** Thrown instead of a connection, because too many callers wait for one. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** `queue_full`: this party has too many waiting callers. `no_connection`: no connection became free in time, or the process is ending. */
  readonly reason: 'queue_full' | 'no_connection';
  /** Seconds after which the caller may try again. Undefined if the process is ending. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: Overloaded['reason'], retryAfterSeconds?: number) {
    super(reason === 'queue_full' ? 'Too many callers of this party wait.' : 'No connection became free in time.');
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown for a statement whose result is larger than a request may hold. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge';

  constructor() {
    super('The result is larger than one request may hold.');
  }
}

/** Thrown for a statement on a connection that was closed because the database no longer answered on it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor() {
    super('The connection to the database no longer answers.');
  }
}

/** Thrown for a statement that is sent after its transaction has ended. */
export class TransactionEnded extends Error {
  override readonly name = 'TransactionEnded';

  constructor() {
    super('The transaction has ended. No other statement may follow.');
  }
}

/** Reports whether PostgreSQL refused a prepared statement because a migration changed the columns that it returns. */
export function isStalePlan(error: unknown): boolean {
  return fieldOf(error, 'routine') === 'RevalidateCachedQuery';
}

const IN_FAILED_TRANSACTION = '25P02';

/** Reports whether a statement was refused only because an earlier one of its transaction has failed. */
export function isAborted(error: unknown): boolean {
  return fieldOf(error, 'code') === IN_FAILED_TRANSACTION;
}

/** Reports whether PostgreSQL ended the session with this error, e.g. because the server shuts down. The socket may report its end later. */
export function endsSession(error: unknown): boolean {
  const severity = fieldOf(error, 'severity');
  return severity === 'FATAL' || severity === 'PANIC';
}

const READ_ONLY = '25006';

/** Reports whether PostgreSQL refused a write because the session is read-only, e.g. on a server that became a standby. */
export function isReadOnly(error: unknown): boolean {
  return fieldOf(error, 'code') === READ_ONLY;
}

function fieldOf(error: unknown, name: 'code' | 'routine' | 'severity'): unknown {
  return error instanceof Error && name in error ? (error as Error & Record<typeof name, unknown>)[name] : undefined;
}
