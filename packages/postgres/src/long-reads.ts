import { currentParty } from './admission.ts';
import { Overloaded } from './errors.ts';

/** Maximum number of long reads of one party at a time. */
const AT_ONCE = 2;
/** Maximum number of waiting long reads of one party. Further ones are refused at once. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 5;

interface Reads {
  running: number;
  waiting: Set<() => void>;
}

const parties = new Map<string, Reads>();

/**
 * Runs a read with a long result when fewer than two others of the running party are under way. Their results would all arrive at the same time, and
 * converting them from the form in which PostgreSQL sends them cannot be done in turns. All of them would be in memory, too.
 *
 * @throws Overloaded when too many reads of the party wait already, and when the wait was too long
 */
export async function asLongRead<T>(read: () => Promise<T>): Promise<T> {
  const party = currentParty();
  const reads = parties.get(party) ?? { running: 0, waiting: new Set() };
  parties.set(party, reads);
  if (reads.running >= AT_ONCE) await placeIn(reads);
  else reads.running += 1;
  try {
    return await read();
  } finally {
    const [next] = reads.waiting;
    // The place passes to the next read.
    if (next) next();
    else reads.running -= 1;
    if (reads.running === 0) parties.delete(party);
  }
}

function placeIn({ waiting }: Reads): Promise<void> {
  if (waiting.size >= MAX_WAITING) return Promise.reject(new Overloaded('queue_full', RETRY_SECONDS));
  return new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(limit);
      waiting.delete(take);
      resolve();
    };
    const limit = setTimeout(() => {
      waiting.delete(take);
      reject(new Overloaded('no_connection', RETRY_SECONDS));
    }, MAX_WAIT_MS);
    waiting.add(take);
  });
}
