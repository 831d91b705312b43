import { AsyncLocalStorage } from 'node:async_hooks';
import { rateLimited, unavailable } from '../errors/errors.ts';

/** Kinds of work, each with its own share of the connections. */
export type Lane = 'read' | 'write' | 'background';

/** For whom a connection is needed. Parties of a lane take turns. */
export interface Party {
  lane: Lane;
  /** An account, or a caller who is not recognized yet. */
  id: string;
}

interface Current extends Party {
  /** The work holds a connection already. */
  holdsTurn: boolean;
}

const SERVICE: Current = { lane: 'background', id: 'service', holdsTurn: false };
const current = new AsyncLocalStorage<Current>();

/** Runs `work`, whose connections are counted for `party`. */
export function asParty<T>({ lane, id }: Party, work: () => T): T {
  return current.run({ lane, id, holdsTurn: false }, work);
}

/** Runs a transaction of an account: in the lane of writes, or of background work when the work around it belongs there. */
export function asWriterOf<T>(accountId: string, work: () => T): T {
  const now = current.getStore() ?? SERVICE;
  return current.run({ lane: now.lane === 'background' ? 'background' : 'write', id: accountId, holdsTurn: now.holdsTurn }, work);
}

/** Runs work that holds a connection. A second connection is given to it at once: waiting for its own party could last forever. */
export function holdingTurn<T>(work: () => T): T {
  return current.run({ ...(current.getStore() ?? SERVICE), holdsTurn: true }, work);
}

/** Longest wait for a connection. Background work waits as long as it takes. */
const MAX_WAIT_MS: Record<Lane, number | null> = { read: 10_000, write: 15_000, background: null };
/** Maximum number of a party's requests that wait in a lane. Further ones are refused at once. */
const MAX_WAITING = 1_000;
/** Seconds after which a refused caller may try again. */
const RETRY_SECONDS = 5;

interface Waiter {
  grant(): void;
  refuse(error: Error): void;
}

interface Queue {
  /** The party's id. */
  id: string;
  held: number;
  waiting: Set<Waiter>;
}

interface LaneState {
  limit: number;
  held: number;
  /** Parties that hold or wait, in the order of their turns. */
  parties: Map<string, Queue>;
}

/** Gives back a connection's place. */
export type Leave = () => void;

/**
 * Decides who gets the next connection of the pool. Without it, the pool is first come, first served: a burst of one account, or its
 * waits for one lock, would keep every other account waiting (docs/domain-rules.md#fairness).
 *
 * - A lane never takes all connections, so that neither reads nor writes nor background work wait for another lane.
 * - Within a lane, parties take turns. A party alone leaves one place free; several share the places evenly.
 * - Each party waits in a queue of its own, bounded in length and time.
 */
export class Admission {
  readonly #size: number;
  readonly #lanes: Record<Lane, LaneState>;
  #held = 0;
  #lastChange = performance.now();
  #turn: Lane[] = ['read', 'write', 'background'];
  #closing = false;

  /** @param background connections for background work; all of them in a process that serves no requests */
  constructor(size: number, background = Math.max(1, Math.floor((size * 3) / 8))) {
    const lane = (limit: number): LaneState => ({ limit: Math.max(1, limit), held: 0, parties: new Map() });
    this.#size = size;
    this.#lanes = { read: lane(size - 2), write: lane(Math.ceil(size / 2)), background: lane(background) };
  }

  /**
   * Waits for a place. The caller takes a connection with it, and leaves when it has given the connection back.
   *
   * @throws RATE_LIMITED when the party's queue is full; UNAVAILABLE when the wait was too long
   */
  async enter(): Promise<Leave> {
    const { lane: name, id, holdsTurn } = current.getStore() ?? SERVICE;
    if (holdsTurn) return () => undefined;
    if (this.#closing && name !== 'background') throw unavailable(RETRY_SECONDS);
    const lane = this.#lanes[name];
    let queue = lane.parties.get(id);
    if (!queue) lane.parties.set(id, (queue = { id, held: 0, waiting: new Set() }));
    // Nobody who may have a place waits while there is one.
    if (queue.waiting.size === 0 && this.#mayHave(lane, queue)) this.#take(lane, queue);
    else if (queue.waiting.size >= MAX_WAITING) throw rateLimited(RETRY_SECONDS);
    else await this.#wait(lane, queue, MAX_WAIT_MS[name]);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#lastChange = performance.now();
      this.#held -= 1;
      lane.held -= 1;
      queue.held -= 1;
      this.#forget(lane, queue);
      this.#admit();
    };
  }

  /** Refuses requests that wait or come later, with UNAVAILABLE. Those that hold a connection and background work go on. */
  refuseRequests(): void {
    this.#closing = true;
    for (const name of ['read', 'write'] as const)
      for (const { waiting } of this.#lanes[name].parties.values()) for (const waiter of waiting) waiter.refuse(unavailable());
  }

  /** Milliseconds since a connection was last returned, while all are in use. 0 while one is free. */
  get stuckFor(): number {
    return this.#held < this.#size ? 0 : performance.now() - this.#lastChange;
  }

  #wait(lane: LaneState, queue: Queue, limitMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = limitMs === null ? undefined : setTimeout(() => waiter.refuse(unavailable(RETRY_SECONDS)), limitMs);
      const leaveQueue = () => {
        clearTimeout(timer);
        queue.waiting.delete(waiter);
      };
      const waiter: Waiter = {
        grant: () => {
          leaveQueue();
          resolve();
        },
        refuse: (error) => {
          leaveQueue();
          this.#forget(lane, queue);
          reject(error);
        },
      };
      queue.waiting.add(waiter);
    });
  }

  /** Gives free places to those who wait. */
  #admit(): void {
    while (this.#held < this.#size) {
      const name = this.#turn.find((each) => this.#admitOneOf(this.#lanes[each]));
      if (name === undefined) return;
      this.#turn = [...this.#turn.filter((each) => each !== name), name];
    }
  }

  #admitOneOf(lane: LaneState): boolean {
    for (const queue of lane.parties.values()) {
      const [waiter] = queue.waiting;
      if (!waiter || !this.#mayHave(lane, queue)) continue;
      this.#take(lane, queue);
      waiter.grant();
      return true;
    }
    return false;
  }

  #mayHave(lane: LaneState, queue: Queue): boolean {
    if (this.#held >= this.#size || lane.held >= lane.limit) return false;
    // Background work is the service's own: it needs no share.
    if (lane === this.#lanes.background) return true;
    return queue.held < Math.max(1, Math.min(lane.limit - 1, Math.floor(lane.limit / lane.parties.size)));
  }

  #take(lane: LaneState, queue: Queue): void {
    this.#lastChange = performance.now();
    this.#held += 1;
    lane.held += 1;
    queue.held += 1;
    // To the end of the line.
    lane.parties.delete(queue.id);
    lane.parties.set(queue.id, queue);
  }

  #forget(lane: LaneState, queue: Queue): void {
    if (queue.held === 0 && queue.waiting.size === 0 && lane.parties.get(queue.id) === queue) lane.parties.delete(queue.id);
  }
}
