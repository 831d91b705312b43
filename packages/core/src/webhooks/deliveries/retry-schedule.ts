import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
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
const WAITS = SCHEDULE_MS.map((usual, made) => ({
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

/**
 * After the clock was ahead and was set back, brings forward the deliveries whose next attempt is farther away than a wait of their step, so that none waits for
 * longer than its back-off. Attempts and deliveries in the future show that the clock was ahead.
 *
 * @returns the number of deliveries that were brought forward
 */
export async function bringDeliveriesForward({ database, clock }: Services): Promise<number> {
  const db = database.kysely;
  const now = toInstant(clock.now());
  const { rows } = await sql<{ latest: Instant | null }>`
    select greatest(
      (select max(started_at) from webhook_attempt),
      (select created_at from webhook_delivery order by id desc limit 1)) as latest`.execute(db);
  const latest = rows[0]?.latest ?? null;
  if (latest === null || latest <= now) return 0;
  const { numAffectedRows } = await sql`
    update webhook_delivery delivery
    set next_attempt_at = ${now}::timestamptz + wait.usual * interval '1 millisecond'
    from unnest(${WAITS.map(({ usual }) => usual)}::int8[], ${WAITS.map(({ longest }) => longest)}::int8[]) with ordinality wait (usual, longest, place)
    where delivery.schedule_step = wait.place - 1
      and delivery.next_attempt_at > ${now}::timestamptz + wait.longest * interval '1 millisecond'`.execute(db);
  return Number(numAffectedRows ?? 0);
}
