/**
 * Decides if a charge could earn: if its affiliate and campaign could earn at a time (docs/rules/attribution.md#history), and within the limits of the
 * campaign. A record has its current values, and former versions with the times until which they were in effect.
 */
import type { SaleLimits } from '../../ledger/sales/sale.entity.ts';
import { compare } from '../../platform/order/compare.ts';
import { type Instant, isBefore, plusMonths } from '../../platform/time/instant.ts';
import type { AffiliateState } from '../../platform/wire/states.ts';

/** The reason why an affiliate or a campaign cannot earn. */
type Obstacle = 'affiliate_inactive' | 'campaign_archived';

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

/** A charge from which its referral may earn, with the facts that determine whether the campaign's limits allow a commission. */
interface EligibleCharge {
  key: string;
  chargedAt: Instant;
  /** False if the reward is zero, bonuses included. */
  worth: boolean;
  /** False if the commission is zero, be it that the charge has a bonus. Such a charge does not count towards any limit. */
  takesPlace: boolean;
  /** Time at which the commission stopped counting because the merchant voided it; null while it counts. */
  endedAt: Instant | null;
  /** True if a limit has refused the charge before. It then stays refused, even if the limit has room again at the exact time of the charge. */
  wasRefused: boolean;
  /** True if the commission has been paid. The limits then never refuse the charge. */
  isSettled: boolean;
  /** The limits of the campaign at the time of the charge. */
  limits: SaleLimits;
}

type LimitReason = 'nothing_to_earn' | 'max_commissions_reached' | 'commission_period_over';

/** The charges that limits refuse, by key, with the reasons. All other charges earn. */
interface Limited {
  refused: Map<string, LimitReason>;
  /** The paid charges that the limits would refuse if they were not paid. */
  contested: Map<string, LimitReason>;
}

/**
 * Applies limits to the charges of one referral, in the order of the charges' times. Each charge has its own limits. A commission that
 * stops counting frees its place for charges from that time on; earlier charges that were refused stay refused. A paid commission keeps its
 * place, even if an earlier charge that takes the place becomes known later: the earlier charge is then refused.
 */
export function applyLimits(charges: readonly EligibleCharge[]): Limited {
  const byFacts = refusedInOrder(charges, new Set());
  const isContested = ({ key, isSettled, worth, takesPlace }: EligibleCharge) =>
    isSettled && worth && takesPlace && byFacts.has(key);
  const contested = charges.filter(isContested);
  if (contested.length === 0) return { refused: byFacts, contested: new Map() };
  return {
    refused: refusedInOrder(charges, new Set(contested)),
    contested: new Map(contested.map(({ key }) => [key, byFacts.get(key)!])),
  };
}

/** @param reserved paid charges whose places are taken before the other charges come; if there are any, no paid charge is refused */
function refusedInOrder(charges: readonly EligibleCharge[], reserved: ReadonlySet<EligibleCharge>): Map<string, LimitReason> {
  const refused = new Map<string, LimitReason>();
  const earning: EligibleCharge[] = [];
  const earn = (charge: EligibleCharge) => {
    if (charge.takesPlace) earning.push(charge);
  };
  for (const charge of charges.toSorted((a, b) => compare(a.chargedAt, b.chargedAt) || compare(a.key, b.key))) {
    const { maxCommissions, periodMonths } = charge.limits;
    const counted = [...new Set([...earning, ...reserved])].filter(
      ({ endedAt }) => endedAt === null || endedAt > charge.chargedAt || (endedAt === charge.chargedAt && charge.wasRefused),
    ).length;
    const first = earning[0];
    if (!charge.worth) refused.set(charge.key, 'nothing_to_earn');
    else if (reserved.size > 0 && charge.isSettled) earn(charge);
    else if (maxCommissions !== null && counted >= maxCommissions) refused.set(charge.key, 'max_commissions_reached');
    else if (periodMonths !== null && first && charge.chargedAt >= plusMonths(first.chargedAt, periodMonths)) {
      refused.set(charge.key, 'commission_period_over');
    } else earn(charge);
  }
  return refused;
}
