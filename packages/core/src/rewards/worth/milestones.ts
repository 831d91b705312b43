import type { Milestone } from './rule.ts';

/** Returns how often a milestone is reached at a count. */
export function timesReached({ repeat, value }: Pick<Milestone, 'repeat' | 'value'>, count: number): number {
  if (repeat === 'every') return Math.floor(count / value);
  return count >= value ? 1 : 0;
}
