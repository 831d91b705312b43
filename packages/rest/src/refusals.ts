import { type Services, rateLimited, recordAttempt } from '@affiliate/core';

interface Refusals {
  /** Throws RATE_LIMITED if this process knows that the caller is over the limit. Calls `key`, which computes the caller's key, only while any caller is blocked. */
  assertMayTry(key: () => string): void;
  /** Counts a refusal for each of the keys. Throws RATE_LIMITED if one of the keys has too many refusals. */
  count(keys: readonly string[]): Promise<void>;
}

/** Maximum number of blocked keys kept in memory. At this limit, the oldest key is dropped, so its next refusal is counted in the database again. */
const MAX_BLOCKED = 10_000;

/**
 * Counts refused credentials in the database, so that the limit holds for all processes together. A key over its limit is also kept in memory until
 * its window ends, so that further refusals cost no statement. A valid credential never costs a statement. Another process learns that a key is
 * blocked when that process first counts a refusal of the key.
 */
export function createRefusals(services: Services, { max, windowSeconds }: { max: number; windowSeconds: number }): Refusals {
  const blockedUntil = new Map<string, number>();
  const now = () => services.clock.now().getTime();
  const secondsBlocked = (key: string) => {
    const until = blockedUntil.get(key) ?? 0;
    if (until > now()) return Math.max(1, Math.ceil((until - now()) / 1000));
    blockedUntil.delete(key);
    return null;
  };
  const refuseBlocked = (key: string) => {
    const seconds = secondsBlocked(key);
    if (seconds !== null) throw rateLimited(seconds);
  };
  return {
    assertMayTry: (key) => {
      if (blockedUntil.size > 0) refuseBlocked(key());
    },
    count: async (keys) => {
      for (const key of keys) refuseBlocked(key);
      for (const key of keys) {
        const { attempts, retryAfter } = await recordAttempt(services, `refused credential ${key}`, windowSeconds);
        if (attempts < max) continue;
        if (blockedUntil.size >= MAX_BLOCKED) blockedUntil.delete(blockedUntil.keys().next().value!);
        blockedUntil.set(key, now() + retryAfter * 1000);
        if (attempts > max) throw rateLimited(retryAfter);
      }
    },
  };
}
