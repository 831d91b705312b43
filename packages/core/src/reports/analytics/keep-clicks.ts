import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { divideClicks, oldestDayOfClicks } from '../../program/clicks/partitions.ts';

/**
 * Creates the click partitions of the coming days and drops those whose retention is over. A partition is kept, however old it is, until its
 * clicks are rolled up, because otherwise the counts of these clicks would be lost (docs/rules/platform.md#retention). Returns the number of
 * partitions created and dropped.
 */
export async function maintainClickPartitions(services: Services, mustStop?: MustStop): Promise<number> {
  const oldest = oldestDayOfClicks(services);
  const progress = await services.database.kysely
    .selectFrom('click_rollup_progress')
    .select('rolled_up_until')
    .executeTakeFirst();
  // Before the first roll-up, this is an empty string, so that no partition is dropped.
  const counted = progress?.rolled_up_until.slice(0, 10) ?? '';
  if (counted >= oldest) return divideClicks(services, oldest, mustStop);
  services.log.warn({ rolled_up_until: progress?.rolled_up_until ?? null }, 'old clicks kept: they are not rolled up yet');
  return divideClicks(services, counted, mustStop);
}
