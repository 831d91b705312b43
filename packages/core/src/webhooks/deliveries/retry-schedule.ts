const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delay between each automatic attempt and the previous one (docs/rules/webhooks.md#retries). If the last attempt fails, the delivery has
 * failed.
 */
const SCHEDULE_MS = [
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

/** Spreads deliveries that failed together, so that they are not retried together. */
const JITTER = 0.2;

/**
 * Returns the milliseconds until the next automatic attempt, or null after the last attempt. Uses the delay of the step, ±20 %, or the
 * delay that the receiver requests, if that is longer. A requested delay is capped at the delay of the following step, so that a receiver
 * cannot postpone a delivery forever.
 *
 * @param attemptsMade automatic attempts made so far, at least 1
 * @param retryAfterMs delay requested in `Retry-After`, or null
 * @param random from 0 to 1, as from `Math.random()`
 */
export function nextAttemptIn(attemptsMade: number, retryAfterMs: number | null, random: number): number | null {
  const step = SCHEDULE_MS[attemptsMade];
  if (step === undefined) return null;
  const scheduled = step * (1 - JITTER + 2 * JITTER * random);
  const longest = SCHEDULE_MS[attemptsMade + 1] ?? step;
  return Math.round(Math.max(scheduled, Math.min(retryAfterMs ?? 0, longest)));
}

/** The usual and the longest wait before the next automatic attempt in milliseconds, by the number of automatic attempts made. */
export const WAITS = SCHEDULE_MS.map((usual, made) => ({
  usual,
  longest: Math.max(usual * (1 + JITTER), SCHEDULE_MS[made + 1] ?? usual),
}));

/**
 * Parses a `Retry-After` header (RFC 9110: seconds, or an HTTP date) into a delay in milliseconds. Returns null for a missing or invalid
 * header, and for a date in the past.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const wait = Date.parse(text) - now.getTime();
  return wait > 0 ? wait : null;
}
