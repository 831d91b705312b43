import { Overloaded, ResultTooLarge } from './errors.ts';

const MIB = 1024 * 1024;
/** Maximum number of bytes of results that the running requests of one party hold at the same time. */
const MOST_OF_PARTY = 32 * MIB;
/** Maximum number of bytes of results that all running requests of this process hold. */
const MOST = 64 * MIB;
const RETRY_SECONDS = 1;

const ofParties = new Map<string, number>();
let ofAll = 0;

/**
 * The results that a request holds in memory, in bytes as PostgreSQL sends them. A limit by rows would not bound memory: a record may have fifty pairs of
 * metadata, and a list a hundred records with expansions.
 */
export class HeldResults {
  #party: string | undefined;
  #bytes = 0;
  #isOver = false;

  /**
   * Counts a row for the party whose work has read it.
   *
   * @throws ResultTooLarge if this request alone holds more than a party may; Overloaded if the party or the process holds too much
   */
  add(party: string, bytes: number): void {
    // The work of a client who has gone may go on for a while. Nothing would release what it reads.
    if (this.#isOver) return;
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

  /** Called when the request is over. What its work reads afterwards does not count. */
  end(): void {
    this.release();
    this.#isOver = true;
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
