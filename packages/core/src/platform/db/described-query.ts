import { type FieldDef, Query } from 'pg';
import { stalePlan } from '../errors/constraints.ts';

/** A prepared statement of one connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How the rows of a read are parsed. Known after its first execution. */
  description?: Description;
}

/** The parts of a result that its columns determine. */
interface Description {
  fields: FieldDef[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** A message to PostgreSQL, which the connection writes. */
type Send = (message: object) => void;

/** The parts of a `pg` connection that a query uses to send a prepared statement. */
interface Connection extends Record<'parse' | 'bind' | 'describe' | 'execute' | 'close', Send> {
  sync(): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
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
  prepare(connection: Connection): void;
  handleDataRow(message: { fields: unknown[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
}

/** Statements that may be executed again when their rows have unexpected columns. */
const READ = /^\s*select\b/;

/**
 * A query that asks PostgreSQL which columns its rows have, and for a read only when its statement is executed for the first time. They cannot change while
 * the statement stays prepared: PostgreSQL refuses it instead ("cached plan must not change result type"). A pooler may prepare it again on
 * another connection: rows with other columns are then refused here.
 */
class DescribedQuery extends (Query as unknown as Internals) {
  readonly #statement: Statement;

  constructor(statement: Statement, values: unknown[], settle: (error: Error | null, result: unknown) => void) {
    super({ name: statement.name, text: statement.text, values }, undefined, settle);
    this.#statement = statement;
  }

  override prepare(connection: Connection): void {
    const { description } = this.#statement;
    if (!description) {
      super.prepare(connection);
      return;
    }
    this._result.fields = description.fields;
    this._result._parsers = description._parsers;
    this._result._prebuiltEmptyResultObject = description._prebuiltEmptyResultObject;
    this._accumulateRows = true;
    super.prepare(withoutDescribe(connection));
  }

  override handleDataRow(message: { fields: unknown[] }): void {
    if (message.fields.length === this._result.fields.length) super.handleDataRow(message);
    else this._canceledDueToError ||= stalePlan();
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (READ.test(this.#statement.text)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      this.#statement.description ??= { fields, _parsers, _prebuiltEmptyResultObject };
    }
    super.handleCommandComplete(message, connection);
  }
}

function withoutDescribe(connection: Connection): Connection {
  return {
    parse: (message) => connection.parse(message),
    bind: (message) => connection.bind(message),
    describe: () => undefined,
    execute: (message) => connection.execute(message),
    close: (message) => connection.close(message),
    sync: () => connection.sync(),
    parsedStatements: connection.parsedStatements,
    submittedNamedStatements: connection.submittedNamedStatements,
  };
}

/**
 * Executes a prepared statement.
 *
 * @param send hands a query to the connection
 */
export async function executeStatement(statement: Statement, values: unknown[], send: (query: object) => void): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      send(new DescribedQuery(statement, values, (error, result) => (error ? reject(error) : resolve(result))));
    });
  } catch (error) {
    // A stack that leads to the caller, and not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
