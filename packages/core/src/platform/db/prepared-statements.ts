import { Client } from 'pg';
import { isStalePlan } from '../errors/constraints.ts';
import { type Execution, type Statement, type Statements, executeTogether } from './statement-group.ts';

/** Maximum number of statements that one connection keeps prepared. Each takes about 20 KB in PostgreSQL. */
const MAX_STATEMENTS = 300;

/**
 * Prefix of a statement with parameters that is the last of its transaction. `commit` is sent together with the statement, which saves a round trip
 * while the transaction holds its locks. The statement resolves when the transaction has committed. The caller's own `commit` is then answered at
 * once, and any other statement is refused. Outside a transaction, the prefix is an ordinary comment.
 */
export const AND_COMMIT = '/* and commit */';

/**
 * Prefix of a statement whose result is not needed, e.g. an insert or a lock. The statement must have parameters. Inside a transaction, it resolves
 * at once and is sent together with the next statement, which saves a round trip. If it fails, the transaction has failed, and the next statement
 * or `commit` rejects with the error. Outside a transaction, the prefix is an ordinary comment.
 */
export const WITHOUT_WAITING = '/* without waiting */';

/** The parts of a `pg` connection that its types leave out. */
interface Protocol {
  close(message: { type: 'S'; name: string }): void;
}

type Query = (text?: unknown, values?: unknown, callback?: unknown) => unknown;

const BEGIN: Execution = { text: 'begin', values: [] };
const COMMIT: Execution = { text: 'commit', values: [] };

/**
 * Returns a client class that prepares every statement with parameters. PostgreSQL then parses and plans a statement only once per connection.
 * Parsing and planning cost as much as executing. A connection that holds `limit` statements closes the least recently used one.
 *
 * A statement whose number of parameters varies would be prepared in many versions, so compare with `oneOf` instead of `in`.
 *
 * Statements that are sent together need one round trip: `begin` and the first statement of the transaction, a statement with the prefix
 * `AND_COMMIT` and `commit`, and a statement with the prefix `WITHOUT_WAITING` and the next statement.
 */
export function preparingClient(limit = MAX_STATEMENTS): typeof Client {
  // Incremented when a connection finds a stale plan: a migration may have changed the columns of results, so all connections prepare their
  // statements again.
  let generation = 0;

  class PreparingClient extends Client {
    /** The prepared statements by text, least recently used first. */
    readonly #known = new Map<string, Statement>();
    /** The statements `begin` and `commit`, which are never closed. */
    readonly #fixed = new Map<string, Statement>([BEGIN, COMMIT].map(({ text }) => [text, { name: text, text }]));
    readonly #statements: Statements = { of: (text) => this.#statementOf(text), close: (statement) => this.#close(statement) };
    #prepared = 0;
    #generation = generation;
    /** True from the caller's `begin` until the transaction ends. */
    #hasBegun = false;
    /** Statements that will be sent together with the next one, e.g. the `begin` of the transaction. */
    #ahead: Execution[] = [];
    /** True if the transaction was committed with its last statement, and the caller has not sent `commit` yet. */
    #hasEnded = false;

    constructor(...config: ConstructorParameters<typeof Client>) {
      super(...config);
      Object.assign(this, { pipeline: true });
    }

    get #protocol(): Protocol {
      return (this as unknown as { connection: Protocol }).connection;
    }

    get #isInTransaction(): boolean {
      return this.#hasBegun || this.getTransactionStatus() !== 'I';
    }

    #statementOf(text: string): Statement {
      const fixed = this.#fixed.get(text);
      if (fixed) return fixed;
      if (this.#generation !== generation) this.#closeAll();
      let statement = this.#known.get(text);
      if (statement === undefined) {
        this.#prepared += 1;
        statement = { name: `s${this.#prepared}`, text };
        const [oldest] = this.#known.values();
        if (this.#known.size >= limit && oldest) this.#close(oldest);
      } else {
        this.#known.delete(text);
      }
      this.#known.set(text, statement);
      return statement;
    }

    /** Closes a prepared statement, even in a failed transaction. PostgreSQL still executes the statements that were sent earlier. */
    #close(statement: Statement): void {
      const { text, name } = statement;
      if (this.#known.get(text) === statement) this.#known.delete(text);
      statement.isPrepared = false;
      this.#protocol.close({ type: 'S', name });
    }

    #closeAll(): void {
      this.#generation = generation;
      for (const statement of this.#known.values()) this.#close(statement);
    }

    #takeAhead(): Execution[] {
      const ahead = this.#ahead;
      this.#ahead = [];
      return ahead;
    }

    /** Executes a statement, together with those waiting in `#ahead` and those in `behind`. */
    async #execute(awaited: Execution, behind: readonly Execution[] = []): Promise<unknown> {
      const inTransaction = this.#isInTransaction;
      const ahead = this.#takeAhead();
      const execute = () =>
        executeTogether({ ahead, awaited, behind }, this.#statements, (query) => void (super.query as Query).call(this, query));
      try {
        return await execute();
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        generation += 1;
        // The transaction has failed, so its caller must repeat the whole transaction (`Constraints.isTransient`).
        if (inTransaction) throw error;
        return execute();
      }
    }

    /** Executes statements that end with a commit. If one fails, PostgreSQL skips the commit, so the transaction is rolled back. */
    async #executeToTheEnd(awaited: Execution, behind?: readonly Execution[]): Promise<unknown> {
      try {
        return await this.#execute(awaited, behind);
      } catch (error) {
        await this.#send('rollback').catch(() => undefined);
        throw error;
      }
    }

    #send(text: string): Promise<unknown> {
      return (super.query as Query).call(this, text) as Promise<unknown>;
    }

    /** Sends a query without preparing it, after the statements waiting in `#ahead`. */
    #sendPlain(...given: unknown[]): unknown {
      const last = this.#ahead.pop();
      const earlier = last && this.#execute(last);
      // The error is reported by `afterEarlier`, or by PostgreSQL when it refuses the query.
      earlier?.catch(() => undefined);
      const outcome = (super.query as Query).call(this, ...given);
      return earlier && outcome instanceof Promise ? afterEarlier(earlier, outcome) : outcome;
    }

    #end(text: 'commit' | 'rollback'): Promise<unknown> {
      // True if no statement of the transaction has been sent to PostgreSQL. PostgreSQL then has nothing to end.
      const isUnseen = this.#ahead[0] === BEGIN && (text === 'rollback' || this.#ahead.length === 1);
      if (text === 'rollback') this.#ahead = [];
      const outcome = isUnseen
        ? Promise.resolve(outcomeOf(text.toUpperCase()))
        : text === 'rollback'
          ? this.#send(text)
          : this.#executeToTheEnd(COMMIT);
      this.#ahead = [];
      this.#hasBegun = false;
      return outcome;
    }

    override query: Client['query'] = ((text, values, callback) => {
      const isEnd = text === 'commit' || text === 'rollback';
      if (this.#hasEnded) {
        if (!isEnd)
          return Promise.reject(
            new Error('The transaction has ended, because its last statement committed it. No other statement may follow.'),
          );
        this.#hasEnded = this.#hasBegun = false;
        return Promise.resolve(outcomeOf(text.toUpperCase()));
      }
      if (typeof text !== 'string' || callback !== undefined) return this.#sendPlain(text, values, callback);
      if (text === 'begin') {
        this.#ahead = [BEGIN];
        this.#hasBegun = true;
        return Promise.resolve(outcomeOf('BEGIN'));
      }
      if (isEnd) return this.#end(text);
      if (!Array.isArray(values) || values.length === 0) return this.#sendPlain(text, values);
      const execution = { text, values };
      if (text.startsWith(WITHOUT_WAITING) && this.#isInTransaction) {
        this.#ahead.push(execution);
        return Promise.resolve(outcomeOf(''));
      }
      if (text.startsWith(AND_COMMIT) && this.#isInTransaction) {
        this.#hasEnded = true;
        return this.#executeToTheEnd(execution, [COMMIT]);
      }
      return this.#execute(execution);
    }) as Query as Client['query'];
  }
  return PreparingClient;
}

/** Settles like `outcome`, or rejects with the error of the earlier statement if that one failed. */
async function afterEarlier(earlier: Promise<unknown>, outcome: Promise<unknown>): Promise<unknown> {
  const [first, second] = await Promise.allSettled([earlier, outcome]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return second.value;
}

/** The result that the client returns for a statement at once, without waiting for PostgreSQL. */
function outcomeOf(command: string) {
  return { command, rowCount: null, rows: [], fields: [] };
}
