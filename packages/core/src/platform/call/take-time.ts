import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { laterOf, toInstant, type Instant, plusMilliseconds } from '../time/instant.ts';
import type { Ctx } from './context.ts';

/**
 * Sets the time of a change to the current time, after a lock was taken. Otherwise a change that waited for the lock would have a time
 * before the wait, and a poller that has already read all changes up to a later time would never see the change
 * (docs/rules/platform.md#time).
 */
export function takeTime(ctx: Pick<Ctx, 'now' | 'clock'>): void {
  ctx.now = laterOf(ctx.now, toInstant(ctx.clock.now()));
}

/** Milliseconds by which a caller's clock may be ahead of the account's clock. */
const CLOCK_SKEW = 5 * 60_000;

/**
 * Throws VALIDATION_ERROR if the time of a reported fact is in the future of the account's clock (docs/rules/platform.md#time).
 *
 * @param path the field with the time
 */
export function assertHappened({ now }: Pick<Ctx, 'now'>, path: string, at: Instant | null | undefined): void {
  if (at != null && at > plusMilliseconds(now, CLOCK_SKEW)) throw invalid(path, PLATFORM_REASONS.in_future, 'too_big');
}
