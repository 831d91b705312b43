/** Which tiers an affiliate has at a charge (docs/rules/rewards.md#tiers). */
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { Tier } from '../../rewards/tiers/tier.entity.ts';
import { closedPeriodBefore } from '../../rewards/worth/windows.ts';
import { type Counted, countSales } from './milestones.ts';

/**
 * Returns the ids of the tiers that an affiliate has at a charge: those that the affiliate reached by the charges of the last closed period. What
 * happens in the period of the charge has no effect, so that the order of sales and races cannot decide.
 */
export async function tiersAt(
  reader: Pick<WriteCtx, 'db' | 'accountId'>,
  tiers: readonly Tier[],
  of: Pick<Counted, 'affiliateId' | 'campaignId' | 'livemode'>,
  at: Instant,
): Promise<string[]> {
  const inForce = tiers.filter(
    ({ campaign_id, created_at, ended_at }) =>
      campaign_id === of.campaignId && !isBefore(at, created_at) && (ended_at === null || isBefore(at, ended_at)),
  );
  const counts = await Promise.all(
    inForce.map(({ metric, currency, window }) => {
      const { from, until } = closedPeriodBefore(window, at);
      return countSales(reader, of, { metric, currency, since: from, until });
    }),
  );
  return inForce.filter(({ from }, i) => counts[i]! >= from).map(({ id }) => id);
}
