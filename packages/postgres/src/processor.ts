import { currentParty } from './admission.ts';
import { Overloaded } from './errors.ts';

/** Time of each iteration of the event loop that turns may take together. Then requests and answers that have arrived meanwhile are handled. */
const TURNS_MS = 4;
/** Time after which long work asks for its next turn. */
const PART_MS = 3;
/** Number of items that are handled before the time is checked. */
const UNCHECKED_ITEMS = 16;
/** Maximum number of waiting turns of one party. Further ones are refused at once. */
const MAX_WAITING = 1_000;
const RETRY_SECONDS = 5;
/** Number of parties above which those that have had no more than their share are forgotten. */
const REMEMBERED = 256;

interface Queue {
  /** Time that the party has used, in milliseconds, counted from the least that any waiting party had used when it came. */
  usedMs: number;
  waiting: (() => void)[];
}

/**
 * Shares the time of the event loop among parties. Work that would occupy the event loop for long is done in parts, and waits for a turn before each of them.
 * The next turn goes to the party that has used the least time. A turn lasts until the work waits for something; its time counts toward its party.
 *
 * Without turns, sixteen long answers of one party would be prepared right after one another, and all other requests would wait for the last of them.
 */
export class Processor {
  readonly #now: () => number;
  readonly #parties = new Map<string, Queue>();
  readonly #waiting = new Set<Queue>();
  /** Time that the party with the last turn had used before it. A party that comes or comes back has used at least as much, so that nobody can save time. */
  #floorMs = 0;
  /** The turn that is being measured. */
  #running: { queue: Queue; start: number } | null = null;
  /** Time of the turns of this iteration of the event loop. */
  #spentMs = 0;
  #isCounting = false;

  /** @param now current time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Waits for the next turn of a party.
   *
   * @throws Overloaded when too many turns of the party wait already
   */
  turnOf(id: string): Promise<void> {
    let queue = this.#parties.get(id);
    if (!queue) this.#parties.set(id, (queue = { usedMs: 0, waiting: [] }));
    if (queue.waiting.length >= MAX_WAITING) return Promise.reject(new Overloaded('queue_full', RETRY_SECONDS));
    queue.usedMs = Math.max(queue.usedMs, this.#floorMs);
    this.#waiting.add(queue);
    this.#scheduleTurn();
    return new Promise((resolve) => queue.waiting.push(resolve));
  }

  /** Schedules one turn, and the end of its measurement. Node runs the work of the turn, including its microtasks, between the two callbacks. */
  #scheduleTurn(): void {
    setImmediate(() => this.#grant());
    setImmediate(() => this.#endTurn());
  }

  #grant(): void {
    if (this.#spentMs >= TURNS_MS) {
      this.#scheduleTurn();
      return;
    }
    const queue = this.#next();
    const resume = queue.waiting.shift()!;
    if (queue.waiting.length === 0) this.#waiting.delete(queue);
    this.#floorMs = Math.max(this.#floorMs, queue.usedMs);
    this.#forget();
    this.#countIteration();
    this.#running = { queue, start: this.#now() };
    resume();
  }

  #endTurn(): void {
    if (this.#running === null) return;
    const { queue, start } = this.#running;
    const ms = this.#now() - start;
    queue.usedMs += ms;
    this.#spentMs += ms;
    this.#running = null;
  }

  /** Begins to count the time of turns anew in the next iteration of the event loop, before its first turn. */
  #countIteration(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => {
      this.#spentMs = 0;
      this.#isCounting = false;
    });
  }

  /** Returns the waiting party that has used the least time; of several, the one that has waited longest. */
  #next(): Queue {
    let next: Queue | undefined;
    for (const queue of this.#waiting) if (next === undefined || queue.usedMs < next.usedMs) next = queue;
    return next!;
  }

  #forget(): void {
    if (this.#parties.size <= REMEMBERED) return;
    for (const [id, queue] of this.#parties)
      if (queue.waiting.length === 0 && queue.usedMs <= this.#floorMs) this.#parties.delete(id);
  }
}

const processor = new Processor();

/** Waits for the next turn of a party on this process's event loop. Default: the party of the running work (`asParty`). */
export function takeTurn(party = currentParty()): Promise<void> {
  return processor.turnOf(party);
}

/** Long work of one party, done in parts that each wait for a turn. */
export class LongWork {
  readonly #party: string;
  #partBegan = performance.now();

  constructor(party = currentParty()) {
    this.#party = party;
  }

  /** Waits for the next turn if this one has lasted long enough. */
  async letOthersIn(): Promise<void> {
    if (performance.now() - this.#partBegan < PART_MS) return;
    await takeTurn(this.#party);
    this.#partBegan = performance.now();
  }
}

/** Returns the results of `work` for all items, as `map` does, in parts that let other parties in. */
export async function mapInParts<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const long = new LongWork();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % UNCHECKED_ITEMS === UNCHECKED_ITEMS - 1) await long.letOthersIn();
    results.push(work(item));
  }
  return results;
}
