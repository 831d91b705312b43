import { AsyncLocalStorage } from 'node:async_hooks';
import { Overloaded } from './errors.ts';
import type { HeldResults, Part } from './held-results.ts';

/** Kinds of work, each with its own share of the connections. */
export type Lane = 'read' | 'write' | 'background';

/** A caller within a lane. Each connection counts toward the share of one party. The parties of a lane take turns. */
export interface Party {
  lane: Lane;
  /** Name of the party, e.g. the id of an account. */
  id: string;
}

interface Current extends Party {
  /** True if the work already holds a connection. */
  holdsTurn: boolean;
  /** Counts the results that the work reads. Undefined for work that is not a request. */
  held?: HeldResults | undefined;
  /** Set while the work reads one part of a long result. */
  part?: Part | undefined;
}

const SERVICE: Current = { lane: 'background', id: 'service', holdsTurn: false };
const current = new AsyncLocalStorage<Current>();

/** Runs `work`. Every connection that `work` takes counts toward the share of `party`. */
export function asParty<T>({ lane, id }: Party, work: () => T): T {
  return current.run({ lane, id, holdsTurn: false, held: current.getStore()?.held }, work);
}

/** Runs `work` as a writer: in the lane for writes, or in the background lane if the caller is background work. */
export function asWriter<T>(id: string, work: () => T): T {
  const now = current.getStore() ?? SERVICE;
  const lane = now.lane === 'background' ? 'background' : 'write';
  return current.run({ lane, id, holdsTurn: now.holdsTurn, held: now.held }, work);
}

/**
 * Runs `work`, which already holds a connection. A second connection is granted to `work` at once, because waiting for one could
 * deadlock.
 */
export function holdingTurn<T>(work: () => T): T {
  return current.run({ ...(current.getStore() ?? SERVICE), holdsTurn: true }, work);
}

/** Runs `work` as the same party. */
export function working<T>(how: Pick<Current, 'held' | 'part'>, work: () => T): T {
  return current.run({ ...currentWork(), ...how }, work);
}

export function currentWork(): Readonly<Current> {
  return current.getStore() ?? SERVICE;
}

export function currentParty(): string {
  return currentWork().id;
}

/** Maximum wait for a connection, by lane. Background work waits without a limit. */
const MAX_WAIT_MS: Record<Lane, number | null> = { read: 10_000, write: 15_000, background: null };
/** Maximum number of waiting requests of one party in a lane. Further requests are refused at once. */
const MAX_WAITING = 1_000;
/** Seconds after which a refused caller may try again. */
const RETRY_SECONDS = 5;

interface Waiter {
  grant(): void;
  refuse(error: Error): void;
}

interface Queue {
  id: string;
  held: number;
  waiting: Set<Waiter>;
}

interface LaneState {
  limit: number;
  held: number;
  /** Parties that hold a connection or wait for one, in the order of their turns. */
  parties: Map<string, Queue>;
}

/** Gives back the place that `enter` granted. */
export type Leave = () => void;

/**
 * Decides who gets the next connection of the pool. The pool itself would serve requests in order of arrival, so that one party would
 * keep every other party waiting if it sent a burst of requests, or if its requests waited for the same lock.
 *
 * - Each lane has a limit. While a process serves requests, no lane can take all connections of the pool.
 * - Within a lane, parties take turns. A single party can take all places of the lane but one. Several parties share the places
 *   evenly.
 * - Each party has its own queue, which is limited in length and waiting time.
 */
export class Admission {
  readonly #size: number;
  readonly #lanes: Record<Lane, LaneState>;
  #held = 0;
  #lastChange = performance.now();
  #turn: Lane[] = ['read', 'write', 'background'];
  #closing = false;

  /** @param background maximum number of connections for background work: `size` in a process that serves no requests */
  constructor(size: number, background = Math.max(1, Math.floor((size * 3) / 8))) {
    const lane = (limit: number): LaneState => ({ limit: Math.max(1, limit), held: 0, parties: new Map() });
    this.#size = size;
    this.#lanes = { read: lane(size - 2), write: lane(Math.ceil(size / 2)), background: lane(background) };
  }

  /** Connections in use, those that this process may use, and work that waits for one. */
  get figures(): { inUse: number; most: number; waiting: number } {
    const queues = Object.values(this.#lanes).flatMap(({ parties }) => [...parties.values()]);
    return { inUse: this.#held, most: this.#size, waiting: queues.reduce((sum, { waiting }) => sum + waiting.size, 0) };
  }

  /**
   * Waits for a place, i.e. the permission to take one connection. Returns a function that the caller must call when it gives the
   * connection back.
   *
   * @throws Overloaded when the party's queue is full, when the wait was too long, and while the process is ending
   */
  async enter(): Promise<Leave> {
    const { lane: name, id, holdsTurn } = current.getStore() ?? SERVICE;
    if (holdsTurn) return () => undefined;
    if (this.#closing && name !== 'background') throw new Overloaded('no_connection', RETRY_SECONDS);
    const lane = this.#lanes[name];
    let queue = lane.parties.get(id);
    if (!queue) lane.parties.set(id, (queue = { id, held: 0, waiting: new Set() }));
    // This overtakes no other party. `#admit` grants places as soon as they are free, so other parties wait only while no place is free for them.
    if (queue.waiting.size === 0 && this.#mayHave(lane, queue)) this.#take(lane, queue);
    else if (queue.waiting.size >= MAX_WAITING) throw new Overloaded('queue_full', RETRY_SECONDS);
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

  /**
   * Refuses all waiting and future requests with `Overloaded`. Requests that already hold a connection continue, and so does
   * background work.
   */
  refuseRequests(): void {
    this.#closing = true;
    for (const name of ['read', 'write'] as const)
      for (const { waiting } of this.#lanes[name].parties.values())
        for (const waiter of waiting) waiter.refuse(new Overloaded('no_connection'));
  }

  /** Milliseconds since a connection was last taken or given back, while all connections are in use. 0 while a connection is free. */
  get stuckFor(): number {
    return this.#held < this.#size ? 0 : performance.now() - this.#lastChange;
  }

  #wait(lane: LaneState, queue: Queue, limitMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        limitMs === null ? undefined : setTimeout(() => waiter.refuse(new Overloaded('no_connection', RETRY_SECONDS)), limitMs);
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

  /** Grants the free places to waiting requests. Lanes take turns. */
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
    // All background work is done for the service itself, so it is not divided among parties.
    if (lane === this.#lanes.background) return true;
    return queue.held < Math.max(1, Math.min(lane.limit - 1, Math.floor(lane.limit / lane.parties.size)));
  }

  #take(lane: LaneState, queue: Queue): void {
    this.#lastChange = performance.now();
    this.#held += 1;
    lane.held += 1;
    queue.held += 1;
    // Moves the party to the end of the order of turns.
    lane.parties.delete(queue.id);
    lane.parties.set(queue.id, queue);
  }

  #forget(lane: LaneState, queue: Queue): void {
    if (queue.held === 0 && queue.waiting.size === 0 && lane.parties.get(queue.id) === queue) lane.parties.delete(queue.id);
  }
}
