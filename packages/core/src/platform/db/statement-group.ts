import pg, { type FieldDef, Query } from 'pg';
import { serialize } from 'pg-protocol';
import { stalePlan } from '../errors/constraints.ts';

/** A prepared statement of one connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** True if PostgreSQL has prepared the statement, or will have done so before its next execution. */
  isPrepared?: boolean;
  /** The columns of the result and their parsers. Known after the first execution, for statements that match `HAS_KNOWN_COLUMNS`. */
  description?: Description;
}

/** The parts of a `pg` result that depend only on the columns. */
interface Description {
  fields: FieldDef[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** One execution of a statement. */
export interface Execution {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements that are sent together. If one fails, PostgreSQL skips those after it. */
export interface Group {
  readonly ahead: readonly Execution[];
  /** The statement whose result is the result of the group. */
  readonly awaited: Execution;
  readonly behind: readonly Execution[];
}

/** The prepared statements of a connection. */
export interface Statements {
  /** Returns the statement with this text. May close other statements to make room for it. */
  of(text: string): Statement;
  close(statement: Statement): void;
}

/** The parts of a `pg` connection that a query uses to send prepared statements. */
interface Connection {
  stream: { readonly writable: boolean; cork(): void; write(bytes: Buffer): void; uncork(): void };
  sync(): void;
}

/** The parts of a `pg` query that its types leave out. */
type Internals = (new (
  config: object,
  values: undefined,
  callback: (error: Error | null, result: unknown) => void,
) => InternalQuery) & { prototype: InternalQuery };

interface InternalQuery {
  _result: Description;
  _accumulateRows: boolean;
  _canceledDueToError: unknown;
  submit(connection: Connection): null;
  handleDataRow(message: { fields: unknown[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
}

/** The library's conversion of values to text. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * Matches statements whose result columns are cached. If a row has a different number of columns, the statement fails as stale and is executed
 * again. This is safe for a select, because it changes nothing. It never happens to a statement that commits, because such a statement lists
 * its result columns by name.
 */
const HAS_KNOWN_COLUMNS = /^\s*(?:\/\* and commit \*\/\s+with|select)\b/;

/**
 * A query that executes several prepared statements in order, and receives all answers in one packet. With one packet per statement, waking this
 * process for each packet would take as long as executing a short statement.
 *
 * The columns of the awaited rows are requested from PostgreSQL. For statements that match `HAS_KNOWN_COLUMNS`, this is done at the first execution
 * only, because PostgreSQL refuses a prepared statement whose columns have changed ("cached plan must not change result type"). Behind a pooler, the
 * rows may nevertheless have other columns, because the statement was prepared on another server connection. `handleDataRow` then refuses these rows.
 */
class GroupQuery extends (Query as unknown as Internals) {
  /** The texts of all statements. Read by the benchmark that counts statements. */
  readonly texts: readonly string[];
  readonly #statements: Statements;
  readonly #executions: readonly Execution[];
  readonly #awaited: number;
  #awaitedStatement: Statement | undefined;
  /** Statements that this query prepares, each with the position of its execution in the group. */
  readonly #prepares: [position: number, statement: Statement][] = [];
  #completed = 0;

  constructor({ ahead, awaited, behind }: Group, statements: Statements, settle: (error: Error | null, result: unknown) => void) {
    super({ text: awaited.text }, undefined, settle);
    this.#statements = statements;
    this.#executions = [...ahead, awaited, ...behind];
    this.#awaited = ahead.length;
    this.texts = this.#executions.map(({ text }) => text);
  }

  override submit(connection: Connection): null {
    const messages: Buffer[] = [];
    try {
      // `of` may close other statements to make room. The messages that close statements must be sent first, because PostgreSQL skips all
      // messages after a failure.
      const statements = this.#executions.map(({ text }) => this.#statements.of(text));
      for (const [position, { values }] of this.#executions.entries())
        this.#add(messages, position, statements[position]!, values);
    } catch (error) {
      // A value of a statement cannot be converted to text. The earlier statements of the group are still executed.
      this._canceledDueToError = error;
    }
    const { stream } = connection;
    if (!stream.writable) return null;
    stream.cork();
    // All messages are sent in a single write, because each write to the socket costs as much as building a message.
    stream.write(Buffer.concat(messages));
    connection.sync();
    stream.uncork();
    return null;
  }

  #add(messages: Buffer[], position: number, statement: Statement, values: readonly unknown[]): void {
    if (!statement.isPrepared) {
      messages.push(serialize.parse({ name: statement.name, text: statement.text }));
      statement.isPrepared = true;
      this.#prepares.push([position, statement]);
    }
    messages.push(serialize.bind({ statement: statement.name, values: values as unknown[], valueMapper: prepareValue }));
    if (position === this.#awaited) this.#expectRows(messages, statement);
    messages.push(serialize.execute());
  }

  #expectRows(messages: Buffer[], statement: Statement): void {
    this.#awaitedStatement = statement;
    const { description } = statement;
    if (!description) {
      messages.push(serialize.describe({ type: 'P' }));
      return;
    }
    this._result.fields = description.fields;
    this._result._parsers = description._parsers;
    this._result._prebuiltEmptyResultObject = description._prebuiltEmptyResultObject;
    this._accumulateRows = true;
  }

  override handleDataRow(message: { fields: unknown[] }): void {
    if (this.#completed !== this.#awaited) return;
    if (message.fields.length === this._result.fields.length) super.handleDataRow(message);
    else this._canceledDueToError ||= stalePlan();
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    const position = this.#completed;
    this.#completed += 1;
    if (position !== this.#awaited) return;
    const statement = this.#awaitedStatement!;
    if (HAS_KNOWN_COLUMNS.test(statement.text)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      statement.description ??= { fields, _parsers, _prebuiltEmptyResultObject };
    }
    super.handleCommandComplete(message, connection);
  }

  /** Closes the group's statements that PostgreSQL might have skipped instead of preparing, because it skips all messages after a failure. */
  closeUncertain(): void {
    for (const [position, statement] of this.#prepares) if (position >= this.#completed) this.#statements.close(statement);
  }
}

/**
 * Executes the prepared statements of a group.
 *
 * @param send sends a query over the connection
 * @returns the result of the awaited statement, after all statements have been executed
 */
export async function executeTogether(group: Group, statements: Statements, send: (query: object) => void): Promise<unknown> {
  let query: GroupQuery | undefined;
  try {
    return await new Promise((resolve, reject) => {
      query = new GroupQuery(group, statements, (error, result) => (error ? reject(error) : resolve(result)));
      send(query);
    });
  } catch (error) {
    query?.closeUncertain();
    // Replaces the stack trace, which shows only the socket's event handler, with that of the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
