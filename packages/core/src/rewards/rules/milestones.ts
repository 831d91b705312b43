import { type Instant, isBefore, laterOf } from '../../platform/time/instant.ts';
import { isInEffectFor } from '../worth/evaluate.ts';
import type { Milestone, Pay } from '../worth/rule.ts';
import { periodOf } from '../worth/windows.ts';
import { inEffect, type RuleVersion } from './rule-versions.ts';

/** A milestone of an affiliate in one period: which charges count, and what each time pays. */
export interface MilestoneCount {
  rule_id: string;
  milestone: Milestone;
  pay: Extract<Pay, { kind: 'fixed' }>;
  /** Ids of tiers. Only charges count at which the affiliate had one of them. Null if all charges count. */
  tier: readonly string[] | null;
  /** Charges count from this time on, and before `until`. */
  since: Instant;
  until: Instant | null;
}

/**
 * Returns the milestones for which a charge counts (docs/rules/rewards.md#milestones). Only charges count that the rule could see: a milestone starts
 * to count when its rule is created, and again when its count, its conditions, its beginning or its amount change.
 *
 * @param versions the versions of the campaign's rules. The newest version of each rule comes first
 */
export function milestonesAt(
  versions: readonly RuleVersion[],
  { at, affiliate_id }: { at: Instant; affiliate_id: string },
): MilestoneCount[] {
  const counting = versions.filter(({ event }) => event === 'milestone');
  return inEffect(counting, at).flatMap((rule): MilestoneCount[] => {
    const { milestone, pay, when } = rule;
    if (milestone === null || pay.kind !== 'fixed') return [];
    if (!isInEffectFor(rule, { at, affiliate_id, link_id: null })) return [];
    const { from, until } = lifeOf(
      versions.filter(({ id }) => id === rule.id),
      at,
    );
    const period = periodOf(milestone.window, at);
    return [
      {
        rule_id: rule.id,
        milestone,
        pay,
        tier: when.tier ?? null,
        since: [from, rule.from, period.from].filter((time) => time !== null).reduce(laterOf),
        until: [until, rule.until, period.until].filter((time) => time !== null).toSorted()[0] ?? null,
      },
    ];
  });
}

/** Returns when the version in force at a time, and the versions around it that count the same, came into force, and when they ended. */
function lifeOf(versions: readonly RuleVersion[], at: Instant): { from: Instant; until: Instant | null } {
  const oldestFirst = versions.toReversed();
  const current = oldestFirst.findLastIndex(({ in_force_from }) => !isBefore(at, in_force_from));
  const isSame = (version: RuleVersion | undefined) =>
    version !== undefined && countsAs(version) === countsAs(oldestFirst[current]!);
  let [first, last] = [current, current];
  while (isSame(oldestFirst[first - 1])) first -= 1;
  while (isSame(oldestFirst[last + 1])) last += 1;
  return { from: oldestFirst[first]!.in_force_from, until: oldestFirst[last + 1]?.in_force_from ?? null };
}

function countsAs({ milestone, pay, when, from, ended }: RuleVersion): string {
  return JSON.stringify([milestone, pay, when, from, ended]);
}

/** Returns how often a milestone is reached at a count. */
export function timesReached({ every, at = 0 }: Pick<Milestone, 'every' | 'at'>, count: number): number {
  if (every !== undefined) return Math.floor(count / every);
  return count >= at ? 1 : 0;
}

/** A charge that reaches a milestone, and how often. */
export interface Reached {
  at: Instant;
  times: number;
}

/** A commission of a milestone, and the charge that reached it. Open if facts may change it: it is neither paid nor claimed, and no person voided it. */
export interface RewardedMilestone extends Reached {
  isOpen: boolean;
}

/** The changes if a milestone is reached otherwise than its commissions say. */
export interface MilestoneChanges<Rewarded> {
  /** Commissions that are reached no longer. */
  undone: Rewarded[];
  /** Commissions that another charge reaches. */
  moved: { rewarded: Rewarded; at: Instant }[];
  /** Commissions to create. */
  added: Reached[];
}

/**
 * Compares the commissions of a milestone with the charges that reach it, in the order of the charges. Commissions that facts cannot change make up for as
 * many times: first for those of their own charge, then for the earliest.
 */
export function milestoneChanges<Rewarded extends RewardedMilestone>(
  rewarded: readonly Rewarded[],
  reached: readonly Reached[],
): MilestoneChanges<Rewarded> {
  let left = reached.map((each) => ({ ...each }));
  const take = (most: number, from: readonly Reached[]) => {
    let missing = most;
    for (const each of from) {
      const taken = Math.min(missing, each.times);
      each.times -= taken;
      missing -= taken;
    }
    return missing;
  };
  const missing = rewarded
    .filter(({ isOpen }) => !isOpen)
    .map(({ at, times }) =>
      take(
        times,
        left.filter((each) => each.at === at),
      ),
    );
  for (const times of missing) take(times, left);
  left = left.filter(({ times }) => times > 0);
  /** Removes and returns the first charge that fits. */
  const match = (fits: (each: Reached) => boolean): Reached | undefined => {
    const place = left.findIndex(fits);
    return place === -1 ? undefined : left.splice(place, 1)[0];
  };
  const others = rewarded.filter(
    ({ isOpen, at, times }) => isOpen && match((each) => each.at === at && each.times === times) === undefined,
  );
  const undone: Rewarded[] = [];
  const moved = others.flatMap((each) => {
    const charge = match(({ times }) => times === each.times);
    if (charge === undefined) undone.push(each);
    return charge === undefined ? [] : [{ rewarded: each, at: charge.at }];
  });
  return { undone, moved, added: left };
}
