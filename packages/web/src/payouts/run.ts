import type { Outputs } from '../api/client.ts';

/** Without its items. */
export type Run = Outputs['payoutRuns']['get'];
export type RunItem = Outputs['payoutRuns']['items']['data'][number];

export const RUN_STATES = [
  'planned',
  'executing',
  'completed',
  'partially_completed',
  'canceled',
] as const satisfies Run['state'][];
export const ITEM_STATES = ['planned', 'paid', 'failed', 'excluded', 'canceled'] as const satisfies RunItem['state'][];

const POLL_MS = 1_000;

/** How often to look how far a run is, in milliseconds; false when nothing is being done for it. */
export function pollWhileWorking(run: Run | undefined): number | false {
  return run && isWorking(run) ? POLL_MS : false;
}

export function isWorking({ state, items_done, items_total }: Run): boolean {
  return state === 'executing' || (state === 'canceled' && items_done < items_total);
}
