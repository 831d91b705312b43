import { Client } from 'pg';
import { isStalePlan } from '../errors/constraints.ts';
import { type Statement, executeStatement } from './described-query.ts';

/** Statements that one connection keeps prepared. PostgreSQL holds some 20 KB for each. */
const MAX_STATEMENTS = 300;

/**
 * Begins the text of a statement with parameters that is the last of its transaction: `commit` is sent together with it, which saves a round
 * trip while the transaction holds its locks. The statement settles when the transaction has committed; the `commit` that follows is
 * answered at once. Other statements must not follow. Elsewhere the text is a comment.
 */
export const AND_COMMIT = '/* and commit */';

/**
 * Begins the text of a statement with parameters, in a transaction, that must succeed and has no outcome of interest: an insert, a lock. It settles
 * at once, so that it is sent together with the next statement, which saves a round trip. If it fails, the transaction has failed: the next
 * statement, or else `commit`, fails with its error. Elsewhere the text is a comment.
 */
export const WITHOUT_WAITING = '/* without waiting */';

/** The parts of a `pg` connection that its types leave out. */
interface Protocol {
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  parsedStatements: Record<string, string>;
}

type Query = (text?: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A class of connections that prepare every statement with parameters: PostgreSQL parses and plans it once per connection, which costs as
 * much as executing it. A connection that holds `limit` statements closes the one it has not used for longest.
 *
 * Statements whose number of parameters varies would fill the connections: compare with `oneOf` instead of `in`.
 *
 * `begin` is sent together with the first statement of the transaction, `commit` together with one that begins with `AND_COMMIT`, and one that
 * begins with `WITHOUT_WAITING` together with the next.
 */
export function preparingClient(limit = MAX_STATEMENTS): typeof Client {
  // A migration can change the columns of a result for all connections at once, so all of them prepare their statements again.
  let generation = 0;

  class PreparingClient extends Client {
    /** The prepared statements by text, least recently used first. */
    readonly #statements = new Map<string, Statement>();
    #prepared = 0;
    #generation = generation;
    /** A transaction has begun for the caller. */
    #hasBegun = false;
    /** It has not begun for PostgreSQL yet. */
    #isBeginHeld = false;
    /** The transaction has ended for PostgreSQL, and not yet for the caller. */
    #hasEnded = false;
    /** Statements of the present transaction for which nobody waits. */
    #unawaited: Promise<unknown>[] = [];
    #isCorked = false;

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
      if (this.#generation !== generation) this.#closeAll();
      let statement = this.#statements.get(text);
      if (statement === undefined) {
        this.#prepared += 1;
        statement = { name: `s${this.#prepared}`, text };
        const [oldest] = this.#statements.values();
        if (this.#statements.size >= limit && oldest) this.#close(oldest);
      } else {
        this.#statements.delete(text);
      }
      this.#statements.set(text, statement);
      return statement;
    }

    /** Closing works in a failed transaction, too. PostgreSQL handles it in the order sent, after the statements under way. */
    #close({ text, name }: Statement): void {
      this.#statements.delete(text);
      delete this.#protocol.parsedStatements[name];
      this.#protocol.close({ type: 'S', name });
    }

    #closeAll(): void {
      this.#generation = generation;
      for (const statement of this.#statements.values()) this.#close(statement);
    }

    async #execute(text: string, values: unknown[]): Promise<unknown> {
      const inTransaction = this.#isInTransaction;
      const execute = () => executeStatement(this.#statementOf(text), values, (query) => this.#send(query));
      try {
        return await execute();
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        generation += 1;
        // The transaction has failed and must be repeated as a whole (Constraints.isTransient).
        if (inTransaction) throw error;
        return execute();
      }
    }

    /** Sends the last statement of a transaction and `commit`. Settles when both are answered. */
    async #executeAndCommit(text: string, values: unknown[]): Promise<unknown> {
      this.#hasEnded = true;
      const [outcome, end] = await Promise.allSettled([this.#execute(text, values), this.#send('commit') as Promise<unknown>]);
      // If the statement failed, `commit` has rolled the transaction back.
      if (outcome.status === 'rejected') throw outcome.reason;
      if (end.status === 'rejected') throw end.reason;
      return outcome.value;
    }

    #executeWithoutWaiting(text: string, values: unknown[]): Promise<unknown> {
      const executed = this.#execute(text, values);
      executed.catch(() => undefined);
      this.#unawaited.push(executed);
      return Promise.resolve(outcomeOf(''));
    }

    /** Settles as `outcome`, but with the error of an earlier statement for which nobody has waited, if it failed. */
    async #afterUnawaited(outcome: unknown): Promise<unknown> {
      const unawaited = this.#unawaited;
      this.#unawaited = [];
      const settled = await Promise.allSettled([outcome, ...unawaited]);
      const failed = settled.slice(1).find(({ status }) => status === 'rejected') ?? settled[0];
      if (failed.status === 'rejected') throw failed.reason;
      return failed.value;
    }

    /** Sends a statement, after the `begin` that was held back for it. What is sent until the running code pauses goes out in one piece. */
    #send(...given: unknown[]): unknown {
      if (!this.#isCorked) {
        const { stream } = this.#protocol;
        this.#isCorked = true;
        stream.cork();
        process.nextTick(() => {
          this.#isCorked = false;
          stream.uncork();
        });
      }
      const query = super.query.bind(this) as Query;
      if (this.#isBeginHeld) {
        this.#isBeginHeld = false;
        // It fails only with the connection, and then the statement fails, too.
        (query('begin') as Promise<unknown>).catch(() => undefined);
      }
      return query(...given);
    }

    override query: Client['query'] = ((text, values, callback) => {
      const isEnd = text === 'commit' || text === 'rollback';
      if (this.#hasEnded) {
        if (!isEnd) return Promise.reject(new Error('The transaction has ended with its last statement.'));
        this.#hasEnded = this.#hasBegun = false;
        return Promise.resolve(outcomeOf(text.toUpperCase()));
      }
      if (typeof text !== 'string' || callback !== undefined) return this.#send(text, values, callback);
      if (text === 'begin') {
        this.#unawaited = [];
        this.#hasBegun = this.#isBeginHeld = true;
        return Promise.resolve(outcomeOf('BEGIN'));
      }
      if (isEnd) this.#hasBegun = false;
      if (this.#isBeginHeld && isEnd) {
        this.#isBeginHeld = false;
        return Promise.resolve(outcomeOf(text.toUpperCase()));
      }
      const isPrepared = Array.isArray(values) && values.length > 0;
      if (isPrepared && text.startsWith(WITHOUT_WAITING) && this.#isInTransaction)
        return this.#executeWithoutWaiting(text, values);
      const outcome = !isPrepared
        ? this.#send(text, values)
        : text.startsWith(AND_COMMIT) && this.#isInTransaction
          ? this.#executeAndCommit(text, values)
          : this.#execute(text, values);
      return this.#unawaited.length > 0 && text !== 'rollback' ? this.#afterUnawaited(outcome) : outcome;
    }) as Query as Client['query'];
  }
  return PreparingClient;
}

/** The outcome of a statement that PostgreSQL does not see. */
function outcomeOf(command: string) {
  return { command, rowCount: null, rows: [], fields: [] };
}
