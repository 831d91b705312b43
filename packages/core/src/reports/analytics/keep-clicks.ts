import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { divideClicks, oldestDayOfClicks } from '../../program/clicks/partitions.ts';

/**
 * Makes the partitions of the coming days, and drops those whose time is over, once their clicks are counted: clicks of a day that is not rolled
 * up stay, however old they are, because their numbers would be lost (docs/domain-rules.md#retention). Returns the number of partitions made and
 * dropped.
 */
export async function maintainClickPartitions(services: Services, mustStop?: MustStop): Promise<number> {
  const oldest = oldestDayOfClicks(services);
  const progress = await services.database.kysely
    .selectFrom('click_rollup_progress')
    .select('rolled_up_until')
    .executeTakeFirst();
  // Before the first roll-up nothing is counted.
  const counted = progress?.rolled_up_until.slice(0, 10) ?? '';
  if (counted >= oldest) return divideClicks(services, oldest, mustStop);
  services.log.warn({ rolled_up_until: progress?.rolled_up_until ?? null }, 'old clicks kept: they are not rolled up yet');
  return divideClicks(services, counted, mustStop);
}
