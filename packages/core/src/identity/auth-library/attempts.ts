import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

/** Maximum number of attempts within a time window. */
export interface AttemptLimit {
  max: number;
  windowSeconds: number;
}

/** State of a counter after an attempt. */
export interface CountedAttempt {
  /** Number of attempts in the current window, including this one. */
  attempts: number;
  /** Seconds until the window ends, at least 1. */
  retryAfter: number;
}

/**
 * Counts an attempt in the database, so that the limit holds across processes and restarts.
 *
 * @param onFirstExcess called for the first attempt in the window that is one too many
 * @throws RATE_LIMITED when the window holds more attempts than allowed
 */
export async function countAttempt(
  services: Services,
  key: string,
  limit: AttemptLimit,
  onFirstExcess?: () => Promise<void>,
): Promise<void> {
  const { attempts, retryAfter } = await recordAttempt(services, key, limit.windowSeconds);
  if (attempts === limit.max + 1) await onFirstExcess?.();
  if (attempts > limit.max)
    throw new DomainError('RATE_LIMITED', IDENTITY_REASONS.too_many_attempts({ seconds: retryAfter }), {
      retry_after: retryAfter,
    });
}

/**
 * Counts an attempt, for callers that enforce the limit themselves. One statement increments and reads the counter, so concurrent attempts
 * cannot exceed a limit.
 *
 * @param key subject of the count, e.g. `sign-in ada@example.com`; stored as a hash, because it may name a person
 */
export async function recordAttempt(services: Services, key: string, windowSeconds: number): Promise<CountedAttempt> {
  const now = toInstant(services.clock.now());
  const ends = plusMilliseconds(now, windowSeconds * 1_000);
  const { rows } = await sql<{ attempts: number; window_ends_at: Instant }>`
    insert into auth_attempt as a (key, attempts, window_ends_at) values (${stored(key)}, 1, ${ends}::timestamptz)
    on conflict (key) do update set
      attempts = case when a.window_ends_at <= ${now}::timestamptz then 1 else a.attempts + 1 end,
      window_ends_at = case when a.window_ends_at <= ${now}::timestamptz then excluded.window_ends_at else a.window_ends_at end
    returning attempts, window_ends_at`.execute(services.database.kysely);
  const { attempts, window_ends_at } = rows[0]!;
  return { attempts, retryAfter: Math.max(1, Math.ceil((Date.parse(window_ends_at) - Date.parse(now)) / 1_000)) };
}

/** Takes one successful attempt off the counter, for limits that count failures only. */
export async function forgiveAttempt(services: Services, key: string): Promise<void> {
  await services.database.kysely
    .updateTable('auth_attempt')
    .set((row) => ({ attempts: row('attempts', '-', 1) }))
    .where('key', '=', stored(key))
    .where('attempts', '>', 0)
    .execute();
}

function stored(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Number of seconds for which a person's codes are refused after too many wrong ones (docs/rules/identity.md#second-factor). */
export const LOCK_SECONDS = 3600;
