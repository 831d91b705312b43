import type { Milestone } from './rule.ts';

/** Returns how often a milestone is reached at a count. */
export function timesReached({ every, at = 0 }: Pick<Milestone, 'every' | 'at'>, count: number): number {
  if (every !== undefined) return Math.floor(count / every);
  return count >= at ? 1 : 0;
}
