import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as PgResult } from 'pg';
import type { ConnectionWatch, Watched } from './connection-watch.ts';
import { TransactionEnded, endsSession, isAborted, isReadOnly } from './errors.ts';
import { takeTurn } from './processor.ts';
import { query } from './results.ts';
import type { SocketClient } from './socket-client.ts';
import type { StatementNames } from './statement-names.ts';

/** A statement that was sent, for tests and benchmarks that count. */
export interface SentStatement {
  text: string;
  /** True for the first of the statements that leave in one write. Each write makes the caller wait for at most one round trip. */
  opensBatch: boolean;
}

export interface SessionSettings {
  watch: ConnectionWatch;
  watched: Watched;
  /** Undefined if the connection prepares nothing. */
  names: StatementNames | undefined;
  onStatement: ((statement: SentStatement) => void) | undefined;
  /** Gives the connection back. */
  release: (mustClose: boolean) => void;
  /** Called when the server has refused a write because the session is read-only. */
  onReadOnly: () => void;
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Number of rows above which a result waits for a turn, because the caller needs the event loop for long to use it. */
const MANY_ROWS = 50;

/** Commands whose results count the rows that they changed. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * A connection of the pool. Statements are pipelined: each is sent without waiting for the answers to earlier ones, and PostgreSQL executes
 * them in the order in which they were sent.
 */
export class Session implements DatabaseConnection {
  readonly #client: SocketClient;
  readonly #settings: SessionSettings;
  /** Number of statements in the socket's buffer. */
  #heldBack = 0;
  #isLeaving = false;
  /** `due`: the transaction begins with its next statement. */
  #transaction: 'none' | 'due' | 'open' = 'none';
  /** The first failure of a statement of the open transaction. */
  #failure: { error: unknown } | null = null;
  #isBroken = false;

  constructor(client: SocketClient, settings: SessionSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  /** Gives the connection back. Closes it if it cannot be used again: it is broken or in an unknown state, or has too many prepared statements. */
  release(): void {
    this.#settings.release(this.#isBroken || this.#transaction !== 'none' || this.#settings.names?.areWornOut === true);
  }

  executeQuery<Row>(statement: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute<Row>(statement);
  }

  /**
   * Sends a statement before it returns, and resolves to its result.
   *
   * @throws if the statement fails. In a transaction whose posted statement has failed, the error of that statement
   */
  async execute<Row>({ sql, parameters }: Statement): Promise<QueryResult<Row>> {
    this.#beginIfDue();
    try {
      const result = await this.#send(sql, parameters, true);
      // A transaction may hold locks, so that it must not wait for the processor.
      if (result.rows.length > MANY_ROWS && this.#transaction === 'none') await takeTurn();
      return resultOf(result);
    } catch (error) {
      // The stack of an error of `pg` leads to the socket, and not to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (endsSession(error)) this.#isBroken = true;
      this.#noteReadOnly(error);
      if (this.#transaction !== 'none') {
        if (!isAborted(error)) this.#noteFailure(error);
        throw this.#failure?.error ?? error;
      }
      if (!this.#settings.names?.noteFailure(error)) throw error;
      return resultOf(await this.#send(sql, parameters, true));
    }
  }

  /**
   * Sends a statement of the open transaction whose result nobody needs. Returns at once: the statement leaves together with the next awaited
   * one. If it fails, the transaction has failed, and the next awaited statement or the commit rejects with its error.
   */
  post({ sql, parameters }: Statement): void {
    if (this.#transaction === 'none') throw new Error('Only a statement of a transaction can be posted.');
    this.#beginIfDue();
    this.#send(sql, parameters, false).catch((error: unknown) => this.#noteFailure(error));
  }

  /** Begins a transaction, with its first statement. */
  begin(): void {
    this.#transaction = 'due';
    this.#failure = null;
  }

  /** Commits. Rejects if the transaction was rolled back instead, because a statement failed. */
  async commit(): Promise<void> {
    if (this.#transaction === 'due') {
      this.#transaction = 'none';
      return;
    }
    const { command } = await this.#send('commit', [], true);
    this.#transaction = 'none';
    if (command !== 'COMMIT') throw this.#failure?.error ?? new Error('The transaction was rolled back.');
  }

  /** Rolls back. Never rejects: if the connection fails, its session ends, which also rolls back. */
  async rollback(): Promise<void> {
    if (this.#transaction === 'open') {
      await this.#send('rollback', [], true).catch(() => {
        this.#isBroken = true;
      });
    }
    this.#transaction = 'none';
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported. Read in pages.');
  }

  #beginIfDue(): void {
    if (this.#transaction !== 'due') return;
    this.#transaction = 'open';
    this.#send('begin', [], false).catch((error: unknown) => this.#noteFailure(error));
  }

  #noteFailure(error: unknown): void {
    this.#failure ??= { error };
    this.#settings.names?.noteFailure(error);
    this.#noteReadOnly(error);
  }

  /**
   * Closes the connection if it is read-only. Otherwise a connection that was opened while the server was a standby, or while an administrator had
   * made the database read-only, would refuse writes until the process ends.
   */
  #noteReadOnly(error: unknown): void {
    if (!isReadOnly(error)) return;
    this.#isBroken = true;
    this.#settings.onReadOnly();
  }

  #send(text: string, values: readonly unknown[], isAwaited: boolean): Promise<PgResult> {
    const { socket } = this.#client;
    const { watch, watched, names, onStatement } = this.#settings;
    onStatement?.({ text, opensBatch: this.#heldBack === 0 });
    if (this.#heldBack === 0) socket.cork();
    this.#heldBack += 1;
    const name = values.length === 0 ? undefined : names?.nameOf(text);
    const outcome = query(this.#client, values.length === 0 ? { text } : { text, name, values: values as unknown[] });
    const ended = (isAnswer: boolean) => watch.noteEnd(watched, isAnswer);
    outcome.then(
      () => ended(true),
      () => ended(false),
    );
    if (isAwaited && !this.#isLeaving) {
      this.#isLeaving = true;
      // At the end of this turn, so that statements that are sent together, e.g. the last ones and the commit, leave in one write.
      process.nextTick(() => this.#leave());
    }
    return outcome;
  }

  /** Writes the buffered statements to the socket. */
  #leave(): void {
    const { watch, watched } = this.#settings;
    for (; this.#heldBack > 0; this.#heldBack -= 1) watch.noteSent(watched);
    this.#isLeaving = false;
    this.#client.socket.uncork();
  }
}

/** The session of one transaction. Refuses statements when the transaction has ended. */
export class TransactionSession implements DatabaseConnection {
  readonly #session: Session;
  #hasEnded = false;

  constructor(session: Session) {
    this.#session = session;
  }

  executeQuery<Row>(statement: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#hasEnded) return Promise.reject(new TransactionEnded());
    return this.#session.execute<Row>(statement);
  }

  post(statement: Statement): void {
    if (this.#hasEnded) throw new TransactionEnded();
    this.#session.post(statement);
  }

  streamQuery(): AsyncIterableIterator<never> {
    return this.#session.streamQuery();
  }

  end(): void {
    this.#hasEnded = true;
  }
}

function resultOf<Row>({ command, rowCount, rows }: PgResult): QueryResult<Row> {
  return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as Row[] } : { rows: rows as Row[] };
}
