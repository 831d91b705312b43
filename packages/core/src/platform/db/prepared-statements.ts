import { Client } from 'pg';
import { isStalePlan } from '../errors/constraints.ts';
import { type Execution, type Statement, type Statements, executeTogether } from './statement-group.ts';

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
  close(message: { type: 'S'; name: string }): void;
}

type Query = (text?: unknown, values?: unknown, callback?: unknown) => unknown;

const BEGIN: Execution = { text: 'begin', values: [] };
const COMMIT: Execution = { text: 'commit', values: [] };

/**
 * A class of connections that prepare every statement with parameters: PostgreSQL parses and plans it once per connection, which costs as
 * much as executing it. A connection that holds `limit` statements closes the one it has not used for longest.
 *
 * Statements whose number of parameters varies would fill the connections: compare with `oneOf` instead of `in`.
 *
 * `begin` is sent together with the first statement of the transaction, `commit` together with one that begins with `AND_COMMIT`, and one that
 * begins with `WITHOUT_WAITING` together with the next. PostgreSQL answers what is sent together once.
 */
export function preparingClient(limit = MAX_STATEMENTS): typeof Client {
  // A migration can change the columns of a result for all connections at once, so all of them prepare their statements again.
  let generation = 0;

  class PreparingClient extends Client {
    /** The prepared statements by text, least recently used first. */
    readonly #known = new Map<string, Statement>();
    /** Those that begin and end transactions are kept. */
    readonly #fixed = new Map<string, Statement>([BEGIN, COMMIT].map(({ text }) => [text, { name: text, text }]));
    readonly #statements: Statements = { of: (text) => this.#statementOf(text), close: (statement) => this.#close(statement) };
    #prepared = 0;
    #generation = generation;
    /** A transaction has begun for the caller. */
    #hasBegun = false;
    /** Statements, from the `begin` of the transaction on, that wait to be sent together with the next one. */
    #ahead: Execution[] = [];
    /** The transaction has ended for PostgreSQL, and not yet for the caller. */
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

    /** Closing works in a failed transaction, too. PostgreSQL handles it in the order sent, after the statements under way. */
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

    /** Sends a statement with what goes ahead of it. */
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
        // The transaction has failed and must be repeated as a whole (Constraints.isTransient).
        if (inTransaction) throw error;
        return execute();
      }
    }

    /** Executes what ends a transaction. If it fails, PostgreSQL has passed over the commit. */
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

    /** Sends a query that is not prepared, after what goes ahead of it. */
    #sendPlain(...given: unknown[]): unknown {
      const last = this.#ahead.pop();
      const earlier = last && this.#execute(last);
      // Reported below, or by PostgreSQL in answer to the query.
      earlier?.catch(() => undefined);
      const outcome = (super.query as Query).call(this, ...given);
      return earlier && outcome instanceof Promise ? afterEarlier(earlier, outcome) : outcome;
    }

    #end(text: 'commit' | 'rollback'): Promise<unknown> {
      // Without a statement, PostgreSQL has not seen the transaction.
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
        if (!isEnd) return Promise.reject(new Error('The transaction has ended with its last statement.'));
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

/** Settles as `outcome`, but with the error of an earlier statement if that failed. */
async function afterEarlier(earlier: Promise<unknown>, outcome: Promise<unknown>): Promise<unknown> {
  const [first, second] = await Promise.allSettled([earlier, outcome]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return second.value;
}

/** The outcome of a statement that PostgreSQL does not see. */
function outcomeOf(command: string) {
  return { command, rowCount: null, rows: [], fields: [] };
}
