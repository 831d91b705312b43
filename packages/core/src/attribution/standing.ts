import { type Instant, isBefore } from '../platform/time/instant.ts';
import type { AffiliateState } from '../platform/wire/states.ts';

/** The reason why an affiliate or a campaign cannot earn. */
export type Obstacle = 'affiliate_inactive' | 'campaign_archived';

/** Whether a claim's affiliate and campaign could earn, over time. Each part holds until `until`, the last part for good. */
export type Standing = readonly {
  until: Instant | null;
  obstacle: Obstacle | null;
  /** True if the affiliate was suspicious and has not become active since. Commissions are then flagged. */
  isSuspicious: boolean;
}[];

/** A value that was in force until `until`. */
export type Former<Value> = Value & { until: Instant };

export interface AffiliateStanding {
  state: AffiliateState;
  archived: boolean;
}

export interface CampaignStanding {
  archived: boolean;
}

/** The present value of a record, and its former values in the order of their times. */
export interface Versions<Value> {
  present: Value;
  former: readonly Former<Value>[];
}

/** Combines the versions of an affiliate and a campaign. */
export function standingOf(affiliate: Versions<AffiliateStanding>, campaign: Versions<CampaignStanding>): Standing {
  const ends = [...new Set([...affiliate.former, ...campaign.former].map(({ until }) => until))].toSorted();
  const parts = [...ends, null].map((until) => ({ until, ...inForceUntil(affiliate, until) }));
  return parts.map(({ until, state, archived }, index) => {
    const isEarning = (state === 'active' || state === 'suspicious') && !archived;
    return {
      until,
      obstacle: !isEarning ? 'affiliate_inactive' : inForceUntil(campaign, until).archived ? 'campaign_archived' : null,
      isSuspicious: state === 'suspicious' && !parts.slice(index).some((later) => later.state === 'active'),
    };
  });
}

/** Returns the value that was in force just before `until`; null stands for the present. */
function inForceUntil<Value>({ present, former }: Versions<Value>, until: Instant | null): Value {
  return until === null ? present : (former.find((version) => version.until >= until) ?? present);
}

/** Returns the obstacle that was in force at the time of a charge. */
export function obstacleAt(standing: Standing, at: Instant): Obstacle | null {
  return partAt(standing, at).obstacle;
}

/** True if the affiliate was suspicious at the time of a charge, and no person has set the affiliate active since. */
export function isSuspiciousAt(standing: Standing, at: Instant): boolean {
  return partAt(standing, at).isSuspicious;
}

function partAt(standing: Standing, at: Instant): Standing[number] {
  return standing.find(({ until }) => until === null || isBefore(at, until))!;
}
