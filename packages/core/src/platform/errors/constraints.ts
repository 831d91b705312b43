import { DomainError, invalid } from './errors.ts';

/**
 * What it means that a unique index is violated. A check before the insert gives the same error sooner; only the index decides between
 * two requests at the same time.
 */
export type UniqueIndex =
  | {
      /** Input field whose value is taken: VALIDATION_ERROR, detail `taken`. Without a field: CONFLICT. */
      field?: string;
      message: string;
      /** May also be a race that the same transaction settles when it runs again, because it then finds the other's row. */
      retry?: true;
    }
  /** No input violates it. The text says why; should a race violate it all the same, the transaction runs again. */
  | { internal: string };

/** Unique indexes by name. Every room declares those of its tables in its `constraints.ts`. */
export type UniqueIndexes = Readonly<Record<string, UniqueIndex>>;

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const UNIQUE_VIOLATION = '23505';

/** Reads errors of PostgreSQL, by what the rooms declare of their unique indexes. An index that is not declared counts as internal. */
export class Constraints {
  readonly declared: ReadonlyMap<string, UniqueIndex>;

  /** Throws when two rooms declare the same index. */
  constructor(rooms: readonly UniqueIndexes[]) {
    const declared = rooms.flatMap((indexes) => Object.entries(indexes));
    this.declared = new Map(declared);
    if (this.declared.size < declared.length) throw new Error('A unique index is declared twice');
  }

  /** Turns the violation of a unique index into the error that the caller gets; returns any other error as it is. */
  translate(error: unknown): unknown {
    if (!isUniqueViolation(error)) return error;
    const index = this.#violated(error);
    if (!index || 'internal' in index) return new DomainError('CONFLICT');
    return index.field === undefined ? new DomainError('CONFLICT', index.message) : invalid(index.field, index.message, 'taken');
  }

  /** Whether the transaction, which has done nothing, may succeed when it runs again: deadlocks, serialization failures, lost races. */
  isTransient(error: unknown): boolean {
    const code = postgresField(error, 'code');
    if (code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE) return true;
    if (!isUniqueViolation(error)) return false;
    const index = this.#violated(error);
    return !index || 'internal' in index || index.retry === true;
  }

  #violated(error: unknown): UniqueIndex | undefined {
    return this.declared.get(postgresField(error, 'constraint') ?? '');
  }
}

/** Whether an error is PostgreSQL's refusal by this constraint, of any kind. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return postgresField(error, 'constraint') === constraint;
}

function isUniqueViolation(error: unknown): boolean {
  return postgresField(error, 'code') === UNIQUE_VIOLATION;
}

/** A field of PostgreSQL's error, which libraries wrap in errors of their own. */
function postgresField(error: unknown, field: 'constraint' | 'code'): string | undefined {
  for (let next: unknown = error; next instanceof Error; next = next.cause) {
    const value = (next as Error & Record<string, unknown>)[field];
    if (typeof value === 'string' && (field === 'constraint' || /^[0-9A-Z]{5}$/.test(value))) return value;
  }
  return undefined;
}
