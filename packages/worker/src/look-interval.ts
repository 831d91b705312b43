/** Longest intervals at which a worker looks for due deliveries. Another worker may die, and its endpoints must not wait long. */
export const LOOK_MS = { alone: 10_000, withPeers: 1_500 };
/** Shortest interval. */
const AT_LEAST_MS = 50;
/**
 * Ratio of an interval to the duration of the look before it. A look reads every endpoint, so with thousands of endpoints whose retries fall due one
 * after the other, looking for each of them would keep the database busy all the time.
 */
const SHARE = 4;

/** The result of the last look. */
export interface Look {
  /** Milliseconds until the next delivery falls due, or null. */
  nextInMs: number | null;
  /** Duration of the look in milliseconds. */
  tookMs: number;
  hasPeers: boolean;
}

/** Returns the milliseconds until a worker looks for due deliveries again: until the next one falls due, within limits. */
export function lookInterval({ nextInMs, tookMs, hasPeers }: Look): number {
  const longestMs = hasPeers ? LOOK_MS.withPeers : LOOK_MS.alone;
  return Math.max(AT_LEAST_MS, SHARE * tookMs, Math.min(nextInMs ?? longestMs, longestMs));
}
