import { Client } from 'pg';
import { isStalePlan } from '../errors/constraints.ts';

/** Statements that one connection keeps prepared. PostgreSQL holds some 20 KB for each. */
const MAX_STATEMENTS = 300;

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
 * `begin` is sent together with the first statement of the transaction, which saves a round trip.
 */
export function preparingClient(limit = MAX_STATEMENTS): typeof Client {
  // A migration can change the columns of a result for all connections at once, so all of them prepare their statements again.
  let generation = 0;

  class PreparingClient extends Client {
    /** Names of the prepared statements by text, least recently used first. */
    readonly #names = new Map<string, string>();
    #prepared = 0;
    #generation = generation;
    /** A transaction has begun for the caller, and not yet for PostgreSQL. */
    #isBeginHeld = false;

    constructor(...config: ConstructorParameters<typeof Client>) {
      super(...config);
      Object.assign(this, { pipeline: true });
    }

    get #protocol(): Protocol {
      return (this as unknown as { connection: Protocol }).connection;
    }

    #nameOf(text: string): string {
      if (this.#generation !== generation) this.#closeAll();
      let name = this.#names.get(text);
      if (name === undefined) {
        this.#prepared += 1;
        name = `s${this.#prepared}`;
        const [oldest] = this.#names;
        if (this.#names.size >= limit && oldest) this.#close(...oldest);
      } else {
        this.#names.delete(text);
      }
      this.#names.set(text, name);
      return name;
    }

    /** Closing works in a failed transaction, too. PostgreSQL handles it in the order sent, after the statements under way. */
    #close(text: string, name: string): void {
      this.#names.delete(text);
      delete this.#protocol.parsedStatements[name];
      this.#protocol.close({ type: 'S', name });
    }

    #closeAll(): void {
      this.#generation = generation;
      for (const [text, name] of this.#names) this.#close(text, name);
    }

    async #execute(text: string, values: unknown[]): Promise<unknown> {
      const inTransaction = this.#isBeginHeld || this.getTransactionStatus() !== 'I';
      const query = (config: object) => this.#send(config) as Promise<unknown>;
      try {
        return await query({ name: this.#nameOf(text), text, values });
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        generation += 1;
        // The transaction has failed and must be repeated as a whole (Constraints.isTransient).
        if (inTransaction) throw error;
        return query({ name: this.#nameOf(text), text, values });
      }
    }

    /** Sends a statement, after the `begin` that was held back for it. */
    #send(...given: unknown[]): unknown {
      const query = super.query.bind(this) as Query;
      if (!this.#isBeginHeld) return query(...given);
      this.#isBeginHeld = false;
      const { stream } = this.#protocol;
      stream.cork();
      // It fails only with the connection, and then the statement fails, too.
      (query('begin') as Promise<unknown>).catch(() => undefined);
      const outcome = query(...given);
      stream.uncork();
      return outcome;
    }

    override query: Client['query'] = ((text, values, callback) => {
      if (typeof text !== 'string' || callback !== undefined) return this.#send(text, values, callback);
      if (Array.isArray(values) && values.length > 0) return this.#execute(text, values);
      if (text === 'begin') {
        this.#isBeginHeld = true;
        return Promise.resolve(outcomeOf('BEGIN'));
      }
      if (this.#isBeginHeld && (text === 'commit' || text === 'rollback')) {
        this.#isBeginHeld = false;
        return Promise.resolve(outcomeOf(text.toUpperCase()));
      }
      return this.#send(text, values);
    }) as Query as Client['query'];
  }
  return PreparingClient;
}

/** The outcome of a statement that PostgreSQL does not see. */
function outcomeOf(command: string) {
  return { command, rowCount: null, rows: [], fields: [] };
}
