import { isStalePlan } from './errors.ts';

/** Maximum number of statements that one connection keeps prepared. Each takes about 20 KB in PostgreSQL. */
const MAX_STATEMENTS = 300;
/** Number of executions without a prepared statement after which a full connection is worth replacing. */
const WORTH_REPLACING = 10_000;

/**
 * Incremented when a connection finds a stale plan: a migration may have changed the columns of results, so all connections prepare their
 * statements again.
 */
let generation = 0;

/**
 * The prepared statements of one connection, by text. PostgreSQL parses and plans a statement with a name only once per connection, and
 * parsing and planning cost as much as executing.
 *
 * A full connection executes further statements without preparing them. If there are many of those, the connection is replaced, so that a
 * process adapts when other statements become frequent.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #limit: number;
  #generation = generation;
  #count = 0;
  #unnamed = 0;

  constructor(limit = MAX_STATEMENTS) {
    this.#limit = limit;
  }

  /** Returns the name under which the connection prepares a statement, or undefined if the statement is not prepared. */
  nameOf(text: string): string | undefined {
    if (this.#generation !== generation) {
      this.#generation = generation;
      this.#names.clear();
    }
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    // Counts names of earlier generations, which PostgreSQL still keeps.
    if (this.#count >= this.#limit) {
      this.#unnamed += 1;
      return undefined;
    }
    this.#count += 1;
    const name = `s${this.#count}`;
    this.#names.set(text, name);
    return name;
  }

  /** True if the connection should be closed and replaced by a new one. */
  get areWornOut(): boolean {
    return this.#unnamed >= WORTH_REPLACING;
  }

  /** Notes the failure of a statement. Returns true if the statement can be executed again, because its plan was stale. */
  noteFailure(error: unknown): boolean {
    if (!isStalePlan(error)) return false;
    generation += 1;
    return true;
  }
}
