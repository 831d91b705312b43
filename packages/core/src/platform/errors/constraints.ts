import { isStalePlan } from '@affiliate/postgres';
import type { Reason } from '../texts/reason.ts';
import { DomainError, invalid } from './errors.ts';

/**
 * The error for a violation of a unique index. Services usually check before the insert and throw the same error; the index also catches
 * concurrent requests.
 */
interface UniqueIndex {
  /** Input field whose value is taken. With a field, the error is VALIDATION_ERROR with the detail `taken`, otherwise CONFLICT. */
  field?: string;
  message: Reason;
  /** Set when the violation may come from a race. The transaction then runs again and finds the other request's row. */
  retry?: true;
}

/** Unique indexes by name. Each room declares those of its tables that an input can violate. */
export type UniqueIndexes = Readonly<Record<string, UniqueIndex>>;

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

/**
 * Thrown if another transaction has changed or created a row on which this transaction based a decision. The transaction runs again and then
 * sees the change.
 */
export class LostRace extends Error {}

/**
 * Translates violations of unique indexes into the errors that the rooms declare. No input can violate another index, only concurrent transactions, so
 * that the transaction runs again.
 */
export class Constraints {
  readonly declared: ReadonlyMap<string, UniqueIndex>;
  readonly raced: ReadonlySet<string>;

  /**
   * Throws when two rooms declare the same index.
   *
   * @param raced foreign keys to rows that another transaction may delete after this transaction has found them. A violation of such a key makes
   *   the transaction run again, so that it finds the current rows
   */
  constructor(rooms: readonly UniqueIndexes[], raced: readonly string[] = []) {
    this.raced = new Set(raced);
    const declared = rooms.flatMap((indexes) => Object.entries(indexes));
    this.declared = new Map(declared);
    if (this.declared.size < declared.length) throw new Error('A unique index is declared twice');
  }

  /** Turns the violation of a unique index into the error for the caller. Returns any other error unchanged. */
  translate(error: unknown): unknown {
    if (isLostRace(error) || this.#lacksRow(error)) return new DomainError('CONFLICT');
    if (!isUniqueViolation(error)) return error;
    const index = this.#violated(error);
    if (!index) return new DomainError('CONFLICT');
    return index.field === undefined ? new DomainError('CONFLICT', index.message) : invalid(index.field, index.message, 'taken');
  }

  /**
   * Reports whether the failed transaction may succeed if it is repeated: after deadlocks, serialization failures, lost races, references to
   * deleted rows (`raced`), and statements prepared before a migration.
   */
  isTransient(error: unknown): boolean {
    if (isLostRace(error) || this.#lacksRow(error)) return true;
    const code = postgresField(error, 'code');
    if (code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE || isStalePlan(error)) return true;
    if (!isUniqueViolation(error)) return false;
    const index = this.#violated(error);
    return !index || index.retry === true;
  }

  #lacksRow(error: unknown): boolean {
    const isViolation = postgresField(error, 'code') === FOREIGN_KEY_VIOLATION;
    return isViolation && this.raced.has(postgresField(error, 'constraint') ?? '');
  }

  #violated(error: unknown): UniqueIndex | undefined {
    return this.declared.get(postgresField(error, 'constraint') ?? '');
  }
}

/** Reports whether an error is a violation of this constraint, whether it is a unique index, a foreign key or a check. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return postgresField(error, 'constraint') === constraint;
}

/** Reports whether an error is a LostRace, or wraps one. */
function isLostRace(error: unknown): boolean {
  for (let next: unknown = error; next instanceof Error; next = next.cause) if (next instanceof LostRace) return true;
  return false;
}

function isUniqueViolation(error: unknown): boolean {
  return postgresField(error, 'code') === UNIQUE_VIOLATION;
}

/** Returns a field of PostgreSQL's error, which libraries wrap in their own errors. */
function postgresField(error: unknown, field: 'constraint' | 'code'): string | undefined {
  for (let next: unknown = error; next instanceof Error; next = next.cause) {
    const value = (next as Error & Record<string, unknown>)[field];
    if (typeof value === 'string' && (field !== 'code' || /^[0-9A-Z]{5}$/.test(value))) return value;
  }
  return undefined;
}
