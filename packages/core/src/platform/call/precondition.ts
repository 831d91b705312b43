import { hash } from 'node:crypto';
import { DomainError } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { Precondition, WriteCtx } from './context.ts';

const LENGTH = 16;

/** Returns the version of a record: a hash of its columns. It changes with them, but not with counters that the record shows. */
export function versionOf(record: Readonly<Record<string, unknown>>, columns: readonly string[]): string {
  return hash(
    'sha1',
    JSON.stringify(
      columns.map((column) => record[column] ?? null),
      inOrder,
    ),
    'base64url',
  ).slice(0, LENGTH);
}

/** PostgreSQL and the memory of a transaction may have the pairs of an object in different orders. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Runs the work of a write under the precondition of the call, if it has one. The condition is about the record as the work has loaded it under its
 * locks, so that no other change can come between. If the condition does not hold, all that the work has done is rolled back.
 *
 * @throws PRECONDITION_FAILED, and the errors of `work` about a record for which the condition holds
 */
export async function underPrecondition<Body>(tx: WriteCtx, work: (tx: WriteCtx) => Promise<Body>): Promise<Body> {
  const { precondition, records } = tx;
  if (!precondition) return work(tx);
  records.watch();
  try {
    const body = await work(tx);
    assertHolds(tx, precondition, precondition.id ?? idIn(body));
    return body;
  } catch (error) {
    // A stale version explains the error better than its consequence does.
    const original = records.original(precondition.table, precondition.id);
    if (original && !holds(precondition, original)) throw refusal(precondition, original);
    throw error;
  }
}

function assertHolds({ records }: WriteCtx, precondition: Precondition, id: unknown): void {
  const original = records.original(precondition.table, id);
  if (original === undefined) throw new Error(`The write does not load the record of ${precondition.table} that it changes.`);
  if (!holds(precondition, original)) throw refusal(precondition, original);
}

function refusal({ noneMatch }: Precondition, original: object | null): DomainError {
  if (noneMatch !== null || original === null) return new DomainError('PRECONDITION_FAILED');
  return new DomainError('PRECONDITION_FAILED', PLATFORM_REASONS.exists_already, {
    reason: 'exists',
    id: (original as { id?: unknown }).id,
  });
}

/** @param original the record before the write, or null if the write has created it */
function holds({ columns, match, noneMatch }: Precondition, original: object | null): boolean {
  if (original === null) return match === undefined;
  const version = versionOf(original as Record<string, unknown>, columns);
  if (match !== undefined && match !== null && !match.includes(version)) return false;
  return noneMatch === undefined || (noneMatch !== null && !noneMatch.includes(version));
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}
