import { Query, type QueryConfig, type QueryResult } from 'pg';
import { currentWork, working } from './admission.ts';
import { HeldResults, type Part } from './held-results.ts';
import type { SocketClient } from './socket-client.ts';

/** Rows that the server sends of a part before it waits for the next request. */
const ROWS_AT_ONCE = 100;

/** The methods of `pg`'s query that receive the messages of the server, as in `pg-cursor`. */
interface Receiver extends Query {
  handleDataRow(message: { length: number }): void;
  handlePortalSuspended(connection: { sync(): void }): void;
}
type Callback = (error: Error | undefined, result: QueryResult) => void;
const ReceivingQuery = Query as unknown as new (config: QueryConfig & { rows?: number }, callback: Callback) => Receiver;

/** A statement whose rows are counted while they arrive. Rows beyond a limit are dropped, so that they take up no memory. */
class CountedQuery extends ReceivingQuery {
  readonly #party: string;
  readonly #held: HeldResults | undefined;
  readonly #part: Part | undefined;
  #bytes = 0;
  refusal: unknown;

  constructor(config: QueryConfig, callback: Callback) {
    const { id, held, part } = currentWork();
    super(part === undefined ? config : { ...config, rows: ROWS_AT_ONCE }, callback);
    this.#party = id;
    this.#held = held;
    this.#part = part;
  }

  override handleDataRow(message: { length: number }): void {
    const part = this.#part;
    if (this.refusal !== undefined || part?.isCut) return;
    const bytes = this.#bytes + message.length;
    if (part !== undefined && this.#bytes > 0 && bytes > part.maxBytes) {
      part.isCut = true;
      return;
    }
    this.#bytes = bytes;
    try {
      this.#held?.add(this.#party, message.length);
    } catch (error) {
      this.refusal = error;
      return;
    }
    super.handleDataRow(message);
  }

  /** The server has sent as many rows of a part as were requested. */
  override handlePortalSuspended(connection: { sync(): void }): void {
    if (this.#part?.isCut || this.refusal !== undefined) connection.sync();
    else super.handlePortalSuspended(connection);
  }
}

/**
 * Sends a statement. Does what `client.query` does without a callback. The function that it would assign to a property of each statement, V8 creates among
 * old objects, where it keeps the rows of the result until a full garbage collection.
 */
export function query(client: SocketClient, config: QueryConfig): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const counted = new CountedQuery(config, (error, result) => {
      const failure = error ?? counted.refusal;
      if (failure) reject(failure);
      else resolve(result);
    });
    client.query(counted);
  });
}

/** Runs `work`, the work of one request. The results that it reads count toward the limits until the returned function is called. */
export function countingResults(work: () => void): () => void {
  const held = new HeldResults();
  working({ held }, work);
  return () => held.end();
}

/** Ends the counting of the results that the running request has read so far, because it has sent them. */
export function forgetResults(): void {
  currentWork().held?.release();
}

/**
 * Reads a part of a long result: the first rows, as many as fit into `maxBytes`, and at least one.
 *
 * @param read sends exactly one statement, outside of a transaction
 */
export async function readPart<Row>(
  maxBytes: number,
  read: () => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; isCut: boolean }> {
  const part: Part = { maxBytes, isCut: false };
  const rows = await working({ part }, read);
  return { rows, isCut: part.isCut };
}
