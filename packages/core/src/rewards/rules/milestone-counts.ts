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
