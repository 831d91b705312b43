import type { Instant } from '../../platform/time/instant.ts';
import type { Milestone } from './rule.ts';

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
