const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after the previous automatic attempt each one is made (docs/domain-rules.md#retries); then the delivery has failed. */
export const SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Deliveries that failed together are not to come back together. */
const JITTER = 0.2;

/**
 * How many milliseconds to wait for the next automatic attempt, or null when the schedule is spent: the step's time, give or take
 * 20 %, or as long as the receiver asks for. What it asks for counts up to the following step's time, so that no receiver can put
 * a delivery off for ever.
 *
 * @param attemptsMade automatic attempts made so far, at least 1
 * @param retryAfterMs what the receiver asked for in `Retry-After`, or null
 * @param random from 0 to 1, as of `Math.random()`
 */
export function nextAttemptIn(attemptsMade: number, retryAfterMs: number | null, random: number): number | null {
  const step = SCHEDULE_MS[attemptsMade];
  if (step === undefined) return null;
  const scheduled = step * (1 - JITTER + 2 * JITTER * random);
  const longest = SCHEDULE_MS[attemptsMade + 1] ?? step;
  return Math.round(Math.max(scheduled, Math.min(retryAfterMs ?? 0, longest)));
}

/** Milliseconds that a `Retry-After` header asks to wait (RFC 9110: seconds, or an HTTP date); null when it asks for nothing. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const wait = Date.parse(text) - now.getTime();
  return wait > 0 ? wait : null;
}
