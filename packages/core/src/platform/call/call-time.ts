import type { Db } from '../db/database.ts';
import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { Clock } from '../time/clock.ts';
import { laterOf, toInstant, type Instant, plusMilliseconds } from '../time/instant.ts';
import type { Ctx } from './context.ts';
import { isTestAccount } from './test-account-id.ts';

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

/**
 * Returns the clock of an account: the service's clock, or, for a test account, one that is ahead of it by as much as the account has moved its test
 * clock forward (docs/rules/platform.md#test-clock).
 */
export async function clockOf(
  { clock, database }: { clock: Clock; database: { kysely: Db } },
  accountId: string,
): Promise<Clock> {
  if (!isTestAccount(accountId)) return clock;
  const account = await database.kysely
    .selectFrom('account')
    .select('clock_ahead_ms')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return aheadBy(clock, account?.clock_ahead_ms ?? 0);
}

/** Returns a clock that is ahead of another one. */
function aheadBy(clock: Clock, milliseconds: number): Clock {
  return milliseconds === 0 ? clock : { now: () => new Date(clock.now().getTime() + milliseconds) };
}
