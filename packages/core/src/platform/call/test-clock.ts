import type { Db } from '../db/database.ts';
import type { Clock } from '../time/clock.ts';
import { isTestAccount } from './test-account-id.ts';

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
