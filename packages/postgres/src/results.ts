import { Query, type QueryConfig, type QueryResult } from 'pg';
import { currentWork, working } from './admission.ts';
import { Overloaded, ResultTooLarge } from './errors.ts';
import type { SocketClient } from './socket-client.ts';

const MIB = 1024 * 1024;
/** Maximum number of bytes of results that the running requests of one party hold at the same time. */
const MOST_OF_PARTY = 32 * MIB;
/** Maximum number of bytes of results that all running requests of this process hold. */
const MOST = 64 * MIB;
const RETRY_SECONDS = 1;
/** Rows that the server sends of a part before it waits for the next request. */
const ROWS_AT_ONCE = 100;

const ofParties = new Map<string, number>();
let ofAll = 0;

/**
 * The results that a request holds in memory, in bytes as PostgreSQL sends them. A limit by rows would not bound memory: a record may have fifty pairs of
 * metadata, and a list a hundred records with expansions.
 */
export class HeldResults {
  #party: string | undefined;
  #bytes = 0;

  /**
   * Counts a row for the party whose work has read it.
   *
   * @throws ResultTooLarge if this request alone holds more than a party may; Overloaded if the party or the process holds too much
   */
  add(party: string, bytes: number): void {
    if (party !== this.#party) this.#moveTo(party);
    const ofParty = ofParties.get(party)! + bytes;
    if (this.#bytes + bytes > MOST_OF_PARTY) throw new ResultTooLarge();
    if (ofParty > MOST_OF_PARTY) throw new Overloaded('queue_full', RETRY_SECONDS);
    if (ofAll + bytes > MOST) throw new Overloaded('no_connection', RETRY_SECONDS);
    ofParties.set(party, ofParty);
    ofAll += bytes;
    this.#bytes += bytes;
  }

  /** Called when the results are no longer needed. */
  release(): void {
    if (this.#party === undefined) return;
    const left = ofParties.get(this.#party)! - this.#bytes;
    if (left > 0) ofParties.set(this.#party, left);
    else ofParties.delete(this.#party);
    ofAll -= this.#bytes;
    this.#party = undefined;
    this.#bytes = 0;
  }

  /** The party of a request is known only after its first results. */
  #moveTo(party: string): void {
    const bytes = this.#bytes;
    this.release();
    this.#party = party;
    this.#bytes = bytes;
    ofAll += bytes;
    ofParties.set(party, (ofParties.get(party) ?? 0) + bytes);
  }
}

/** The limit of one part of a long result. */
export interface Part {
  readonly maxBytes: number;
  /** True if the result had more rows than fit. */
  isCut: boolean;
}

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
      if (failure) reject(failure as Error);
      else resolve(result);
    });
    client.query(counted);
  });
}

/** Runs `work`, the work of one request. The results that it reads count toward the limits until the returned function is called. */
export function countingResults(work: () => void): () => void {
  const held = new HeldResults();
  working({ held }, work);
  return () => held.release();
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
