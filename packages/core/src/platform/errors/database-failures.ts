import { ConnectionLost, Overloaded } from '@affiliate/postgres';
import { DomainError, rateLimited, unavailable } from './errors.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** Classes of PostgreSQL errors that the request did not cause: connection (08), resources (53), operator (57). */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
const RECOVERY_CONFLICT = '40001';
/** Code of the error for a write on a server that became a standby in a failover. */
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

/** Errors of a Unix socket whose server does not run, or has too many connections to accept. Other calls fail with these codes for other reasons. */
const SOCKET_ERRORS = new Set(['ENOENT', 'EAGAIN']);

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

/** Reports whether a statement exceeded the time limit for statements. */
export function isStatementTimeout(error: unknown): boolean {
  return causes(error).some((cause) => codeOf(cause) === QUERY_CANCELED);
}

/**
 * Returns UNAVAILABLE if a request failed because the database is unreachable, overloaded, restarting or too slow, and RATE_LIMITED if the caller
 * has too many requests that wait for a connection. Returns null for every other error.
 */
export function databaseFailure(error: unknown): DomainError | null {
  const found = causes(error);
  if (found.some((cause) => cause instanceof DomainError)) return null;
  const overload = found.find((cause) => cause instanceof Overloaded);
  if (overload?.reason === 'queue_full') return rateLimited(overload.retryAfterSeconds ?? 0);
  if (overload) return unavailable(overload.retryAfterSeconds);
  return found.some(isFailure) ? unavailable() : null;
}

/**
 * Reports whether a read that failed on the replica may succeed on the primary: the replica failed, or it canceled the read to replay a
 * change.
 */
export function isFailureOfReplica(error: unknown): boolean {
  return databaseFailure(error) !== null || causes(error).some((cause) => codeOf(cause) === RECOVERY_CONFLICT);
}

function isFailure(error: Error): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  // Network errors of Node have a `syscall`. Here they come from the database connection, because network errors of the payment provider
  // and of email are converted to other errors.
  if (code !== undefined && NETWORK_ERRORS.has(code)) return 'syscall' in error;
  if (code !== undefined && SOCKET_ERRORS.has(code)) return 'syscall' in error && error.syscall === 'connect';
  if (code !== undefined && 'severity' in error)
    return UNAVAILABLE_CLASSES.includes(code.slice(0, 2)) || code === READ_ONLY || code === LOCK_NOT_AVAILABLE;
  return DRIVER_MESSAGES.some((message) => error.message.startsWith(message));
}

function codeOf(error: Error): string | undefined {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Returns an error and the errors that it wraps, because libraries wrap the database driver's errors. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let next = error; next instanceof Error && !found.includes(next); next = next.cause) found.push(next);
  return found;
}
