/** The periods in which an affiliate has tiers, as a function of what was reached at which time (docs/rules/rewards.md#tiers). */
import { compare } from '../../platform/order/compare.ts';
import { type Instant, plusMonths } from '../../platform/time/instant.ts';
import { periodOf } from '../worth/windows.ts';
import type { Tier } from './tier.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_tier: AffiliateTierTable;
    tier_schedule: TierScheduleTable;
    tier_check: TierCheckTable;
  }
}

/** A period in which an affiliate has a tier. The current one has no end. */
interface AffiliateTierTable {
  affiliate_id: string;
  tier_id: string;
  since: Instant;
  until: Instant | null;
  account_id: string;
  campaign_id: string;
}

/** A campaign with tiers. Its affiliates’ tiers are settled up to `due_from`, and are due at that time again. */
interface TierScheduleTable {
  campaign_id: string;
  account_id: string;
  due_from: Instant;
}

/** An affiliate whose tiers in a campaign may have changed from a time on. */
interface TierCheckTable {
  affiliate_id: string;
  campaign_id: string;
  account_id: string;
  due_from: Instant;
  /** Time since which sales may have been decided by tiers that no period tells. */
  unsettled_since: Instant;
}

export interface TierPeriod {
  tier_id: string;
  since: Instant;
  /** Null for the current period. */
  until: Instant | null;
}

/** The tiers that an affiliate has from a time on. */
interface Reached {
  at: Instant;
  tiers: readonly string[];
}

/** Returns the times from `from` to `until` at which tiers may change: `from` itself, the starts of months, and creations and ends of tiers. */
export function turningPoints(
  tiers: readonly Pick<Tier, 'created_at' | 'ended_at'>[],
  { from, until }: { from: Instant; until: Instant },
): Instant[] {
  const points = new Set([from]);
  for (let month = nextMonth(from); month <= until; month = nextMonth(month)) points.add(month);
  for (const { created_at, ended_at } of tiers)
    for (const time of [created_at, ended_at]) if (time !== null && time > from && time <= until) points.add(time);
  return [...points].toSorted();
}

/** Returns the start of the month after that of a time. From then on, charges of this month count for tiers. */
export function nextMonth(at: Instant): Instant {
  return plusMonths(periodOf('month', at).from!, 1);
}

/**
 * Returns the periods of an affiliate’s tiers: those that were known before the first of the `reached` times, continued by what was reached.
 *
 * @param reached oldest first, not empty
 */
export function tierPeriods(known: readonly TierPeriod[], reached: readonly Reached[]): TierPeriod[] {
  const first = reached[0]!.at;
  const holds = ({ since, until }: TierPeriod) => since < first && (until === null || until >= first);
  const periods = known.filter((period) => period.since < first && !holds(period));
  const open = new Map(known.filter(holds).map(({ tier_id, since }) => [tier_id, since]));
  for (const { at, tiers } of reached) {
    for (const [tier_id, since] of open) {
      if (tiers.includes(tier_id)) continue;
      periods.push({ tier_id, since, until: at });
      open.delete(tier_id);
    }
    for (const tier of tiers) if (!open.has(tier)) open.set(tier, at);
  }
  for (const [tier_id, since] of open) periods.push({ tier_id, since, until: null });
  return periods.toSorted((a, b) => compare(a.since, b.since) || compare(a.tier_id, b.tier_id));
}

/** Returns the ids of the tiers that an affiliate has at a time. */
export function tiersIn(periods: readonly TierPeriod[], at: Instant): string[] {
  return periods
    .filter(({ since, until }) => since <= at && (until === null || at < until))
    .map(({ tier_id }) => tier_id)
    .toSorted();
}
