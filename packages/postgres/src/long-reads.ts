import { currentParty } from './admission.ts';
import { Overloaded } from './errors.ts';

/** Maximum numbers of one party at a time. A second long read would make neither faster, because one thread reads the results of both. */
const AT_ONCE = { read: 1, download: 2, upload: 2 };
/** Maximum number of waiting long reads, downloads, or uploads of one party. Further ones are refused at once. */
const MAX_WAITING = 1_000;
/** A body that waits longer than this would not arrive within the time that the server gives a request. */
const MAX_WAIT_OF_UPLOAD_MS = 20_000;
const MAX_WAIT_MS = { read: 10_000, download: 60_000, upload: MAX_WAIT_OF_UPLOAD_MS };
const RETRY_SECONDS = 5;

interface Reads {
  running: number;
  waiting: Set<() => void>;
}

const parties = new Map<string, Reads>();

/**
 * Runs a read with a long result when no other one of the running party is under way. Their results would be in memory at the same time, and would take turns.
 *
 * @throws Overloaded when too many reads of the party wait already, and when the wait was too long
 */
export function asLongRead<T>(read: () => Promise<T>): Promise<T> {
  return inPlace('read', currentParty(), read);
}

/**
 * Sends a list that is made in parts when fewer than two other downloads of a party are under way. They have places of their own, because a download takes as
 * long as its client reads.
 *
 * @throws Overloaded when too many downloads of the party wait already, and when the wait was too long
 */
export function asDownload<T>(party: string, send: () => Promise<T>): Promise<T> {
  return inPlace('download', party, send);
}

/**
 * Waits until fewer than two other uploads of a party are under way. All of their bodies would be in memory at the same time, each of them several times.
 *
 * @returns the function that ends the upload
 * @throws Overloaded when too many uploads of the party wait already, and when the wait was too long
 */
export function beginUpload(party: string): Promise<() => void> {
  return takePlace('upload', party);
}

async function inPlace<T>(kind: 'read' | 'download', party: string, work: () => Promise<T>): Promise<T> {
  const leave = await takePlace(kind, party);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Returns the function that gives the place back. */
async function takePlace(kind: keyof typeof MAX_WAIT_MS, party: string): Promise<() => void> {
  const name = `${kind} ${party}`;
  const reads = parties.get(name) ?? { running: 0, waiting: new Set() };
  parties.set(name, reads);
  if (reads.running >= AT_ONCE[kind]) await placeIn(reads, MAX_WAIT_MS[kind]);
  else reads.running += 1;
  return () => {
    const [next] = reads.waiting;
    // The place passes to the next one.
    if (next) next();
    else reads.running -= 1;
    if (reads.running === 0) parties.delete(name);
  };
}

function placeIn({ waiting }: Reads, maxWaitMs: number): Promise<void> {
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
    }, maxWaitMs);
    waiting.add(take);
  });
}
