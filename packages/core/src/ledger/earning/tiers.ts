/** The tiers that an affiliate has at a charge (docs/rules/rewards.md#tiers). */
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, isBefore, laterOf } from '../../platform/time/instant.ts';
import { turningPoints } from '../../rewards/tiers/tier-periods.ts';
import type { Tier } from '../../rewards/tiers/tier.entity.ts';
import { tiersOf } from '../../rewards/tiers/tier.queries.ts';
import { closedPeriodBefore } from '../../rewards/worth/windows.ts';
import { type Counted, countSales, type HeldPeriod } from './count-sales.ts';

/**
 * Returns the ids of the tiers that an affiliate has at a charge: those that the affiliate reached by the charges of the last closed period. What
 * happens in the period of the charge has no effect, so that the order of sales and races cannot decide.
 */
export async function tiersAt(
  reader: Pick<WriteCtx, 'db' | 'accountId'>,
  tiers: readonly Tier[],
  of: Counted,
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

/**
 * Returns the periods in which an affiliate has one of the given tiers, counted from the sales that are known now, as for sales (`tiersAt`). Sales that
 * become known later change them, and then the sales of these periods are decided again, with their milestones.
 */
export async function periodsWithTier(
  ctx: Pick<WriteCtx, 'db' | 'accountId' | 'now'>,
  of: Counted,
  tierIds: readonly string[],
  { since, until }: HeldPeriod,
): Promise<HeldPeriod[]> {
  const tiers = (await tiersOf(ctx, [of.campaignId])).filter(({ id }) => tierIds.includes(id));
  const points = turningPoints(tiers, { from: since, until: laterOf(since, ctx.now) });
  const held = await Promise.all(points.map((at) => tiersAt(ctx, tiers, of, at)));
  return points.flatMap((at, i) => (held[i]!.length === 0 ? [] : [{ since: at, until: points[i + 1] ?? until }]));
}
