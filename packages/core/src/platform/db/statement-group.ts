import pg, { type FieldDef, Query } from 'pg';
import { serialize } from 'pg-protocol';
import { stalePlan } from '../errors/constraints.ts';

/** A prepared statement of one connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** PostgreSQL has it, or gets it before its next execution. */
  isPrepared?: boolean;
  /** The parsers for the rows of a read. Known after its first execution. */
  description?: Description;
}

/** The parts of a result that its columns determine. */
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

/** Statements that are sent together. If one fails, PostgreSQL passes over the rest. */
export interface Group {
  readonly ahead: readonly Execution[];
  /** The statement whose outcome is that of the group. */
  readonly awaited: Execution;
  readonly behind: readonly Execution[];
}

/** The prepared statements of a connection. */
export interface Statements {
  /** The statement with this text. Others may be closed to make room for it. */
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
 * Statements whose columns are remembered. Rows with others are refused here, and the statement is executed again: a read may be, and the text of
 * one that commits names its columns, so that they never differ.
 */
const HAS_KNOWN_COLUMNS = /^\s*(?:\/\* and commit \*\/\s+with|select)\b/;

/**
 * A query that executes prepared statements, one after the other, with one answer. PostgreSQL answers each query by a packet of its own, and
 * wakes this process for it, which takes as long as a short statement.
 *
 * It asks PostgreSQL which columns the awaited rows have, and for most only when the statement is executed for the first time. They cannot
 * change while the statement stays prepared: PostgreSQL refuses it instead ("cached plan must not change result type"). A pooler may prepare it
 * again on another connection: rows with other columns are then refused here.
 */
class GroupQuery extends (Query as unknown as Internals) {
  /** The texts of all statements, for those who count them. */
  readonly texts: readonly string[];
  readonly #statements: Statements;
  readonly #executions: readonly Execution[];
  readonly #awaited: number;
  #awaitedStatement: Statement | undefined;
  /** Statements that this query prepares, with the position of their execution. */
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
      // Making room closes other statements, which must come first: PostgreSQL passes over what follows a failure.
      const statements = this.#executions.map(({ text }) => this.#statements.of(text));
      for (const [position, { values }] of this.#executions.entries())
        this.#add(messages, position, statements[position]!, values);
    } catch (error) {
      // A value that has no text. The statements before it are executed.
      this._canceledDueToError = error;
    }
    const { stream } = connection;
    if (!stream.writable) return null;
    stream.cork();
    // In one piece: each one costs as much in the socket as its message costs to make.
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

  /** Closes the statements that PostgreSQL may not have: it passes over what follows a failure. */
  closeUncertain(): void {
    for (const [position, statement] of this.#prepares) if (position >= this.#completed) this.#statements.close(statement);
  }
}

/**
 * Executes prepared statements.
 *
 * @param send hands a query to the connection
 * @returns the outcome of the awaited statement, when all are executed
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
    // A stack that leads to the caller, and not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
