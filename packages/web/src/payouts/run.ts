import type { Outputs } from '../api/client.ts';

/** A payout run without its items. */
export type Run = Outputs['payoutRuns']['get'];
export type RunItem = Outputs['payoutRuns']['items']['data'][number];

const POLL_MS = 1_000;

/** Polling interval of a run in milliseconds; false if no work is in progress. */
export function pollWhileWorking(run: Run | undefined): number | false {
  return run && isWorking(run) ? POLL_MS : false;
}

export function isWorking({ state, items_done, items_total }: Run): boolean {
  return state === 'executing' || (state === 'canceled' && items_done < items_total);
}
