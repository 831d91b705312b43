import type { Outputs } from '../api/client.ts';

/** Without its items. */
export type Run = Outputs['payoutRuns']['get'];
export type RunItem = Outputs['payoutRuns']['items']['data'][number];

const POLL_MS = 1_000;

/** How often to look how far a run is, in milliseconds; false when nothing is being done for it. */
export function pollWhileWorking(run: Run | undefined): number | false {
  return run && isWorking(run) ? POLL_MS : false;
}

export function isWorking({ state, items_done, items_total }: Run): boolean {
  return state === 'executing' || (state === 'canceled' && items_done < items_total);
}
