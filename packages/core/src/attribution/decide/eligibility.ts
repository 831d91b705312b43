/**
 * Decides if an affiliate and a campaign could earn at a time (docs/rules/attribution.md#history). A record has its current values, and former
 * versions with the times until which they were in effect.
 */
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { AffiliateState } from '../../platform/wire/states.ts';

/** The reason why an affiliate or a campaign cannot earn. */
export type Obstacle = 'affiliate_inactive' | 'campaign_archived';

/** Periods in which a claim's affiliate and campaign could earn, or could not. Each ends at `until`, the last one never. */
export type Eligibility = readonly {
  until: Instant | null;
  obstacle: Obstacle | null;
  /** True if the affiliate was suspicious and has not become active since. Commissions are then flagged. */
  isSuspicious: boolean;
}[];

/** A value that was in effect until `until`. */
export type Former<Value> = Value & { until: Instant };

export interface AffiliateVersion {
  state: AffiliateState;
  archived: boolean;
}

export interface CampaignVersion {
  archived: boolean;
}

/** The current value of a record, and its former values in the order of their times. */
export interface Versions<Value> {
  current: Value;
  former: readonly Former<Value>[];
}

/** Combines the versions of an affiliate and a campaign. */
export function eligibilityOf(affiliate: Versions<AffiliateVersion>, campaign: Versions<CampaignVersion>): Eligibility {
  const ends = [...new Set([...affiliate.former, ...campaign.former].map(({ until }) => until))].toSorted();
  const periods = [...ends, null].map((until) => ({ until, ...versionUntil(affiliate, until) }));
  return periods.map(({ until, state, archived }, index) => {
    const isEarning = (state === 'active' || state === 'suspicious') && !archived;
    return {
      until,
      obstacle: !isEarning ? 'affiliate_inactive' : versionUntil(campaign, until).archived ? 'campaign_archived' : null,
      isSuspicious: state === 'suspicious' && !periods.slice(index).some((later) => later.state === 'active'),
    };
  });
}

/** Returns the value that was in effect just before `until`; null stands for the current value. */
function versionUntil<Value>({ current, former }: Versions<Value>, until: Instant | null): Value {
  return until === null ? current : (former.find((version) => version.until >= until) ?? current);
}

/** Returns the value that was in effect at a time. */
export function versionAt<Value>({ current, former }: Versions<Value>, at: Instant): Value {
  return former.find(({ until }) => isBefore(at, until)) ?? current;
}

/** Returns the obstacle at the time of a charge. */
export function obstacleAt(eligibility: Eligibility, at: Instant): Obstacle | null {
  return periodOf(eligibility, at).obstacle;
}

/** True if the affiliate was suspicious at the time of a charge, and no person has set the affiliate active since. */
export function isSuspiciousAt(eligibility: Eligibility, at: Instant): boolean {
  return periodOf(eligibility, at).isSuspicious;
}

function periodOf(eligibility: Eligibility, at: Instant): Eligibility[number] {
  return eligibility.find(({ until }) => until === null || isBefore(at, until))!;
}
