import { DomainError, unavailable } from './errors.ts';

const CONNECTION_LOST = 'CONNECTION_LOST';

/** Thrown for a statement on a connection that was given up because the database did not answer on it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  /** Recognized by this: the ORM replaces errors of the driver with its own, which keep only the fields. */
  readonly code = CONNECTION_LOST;

  constructor() {
    super('The connection to the database no longer answers.');
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** Classes of PostgreSQL errors that say nothing about the request: connection, resources, operator. */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
const RECOVERY_CONFLICT = '40001';
/** A server that has become a standby in a failover. */
const READ_ONLY = '25006';

const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Errors of `pg` and `pg-pool` without a code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** Reports whether a statement waited too long for a lock. Nothing was changed; the transaction may be repeated. */
export function isLockTimeout(error: unknown): boolean {
  return causes(error).some((cause) => codeOf(cause) === LOCK_NOT_AVAILABLE);
}

/** Reports whether a statement took longer than statements may take. */
export function isStatementTimeout(error: unknown): boolean {
  return causes(error).some((cause) => codeOf(cause) === QUERY_CANCELED);
}

/**
 * The error for a caller whose request failed because of the state of the database: unreachable, overloaded, restarted, or too slow. Null
 * for every other error.
 */
export function databaseFailure(error: unknown): DomainError | null {
  const found = causes(error);
  if (found.some((cause) => cause instanceof DomainError)) return null;
  return found.some(isFailure) ? unavailable() : null;
}

/** Reports whether the same read may succeed on the primary: the replica failed, or replayed a change that the read was in the way of. */
export function isFailureOfReplica(error: unknown): boolean {
  return databaseFailure(error) !== null || causes(error).some((cause) => codeOf(cause) === RECOVERY_CONFLICT);
}

function isFailure(error: Error): boolean {
  const code = codeOf(error);
  if (code === CONNECTION_LOST) return true;
  // Node's errors have a `syscall`. Only those of the database are not turned into errors of their own (payment provider, mail).
  if (code !== undefined && NETWORK_ERRORS.has(code)) return 'syscall' in error;
  if (code !== undefined && 'severity' in error)
    return UNAVAILABLE_CLASSES.includes(code.slice(0, 2)) || code === READ_ONLY || code === LOCK_NOT_AVAILABLE;
  return DRIVER_MESSAGES.some((message) => error.message.startsWith(message));
}

function codeOf(error: Error): string | undefined {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** An error and the errors that it wraps: libraries wrap those of the driver. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let next = error; next instanceof Error && !found.includes(next); next = next.cause) found.push(next);
  return found;
}
