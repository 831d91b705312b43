import type { Outputs } from '../api/client.ts';

/** A payout run without its items. */
export type Run = Outputs['payoutRuns']['get'];
export type RunItem = Outputs['payoutRuns']['items']['data'][number];

const POLL_MS = 1_000;

/** Polling interval of a run in milliseconds; false if no work is in progress. */
export function pollWhileWorking(run: Run | undefined): number | false {
  return run && isWorking(run) ? POLL_MS : false;
}

/** The number of payouts in the run that are not paid, excluded or returned: planned and failed ones. */
export function unpaidCount({ items_done, items_total, issues }: Run): number {
  return items_total - items_done + issues.reduce((sum, { items_count }) => sum + items_count, 0);
}

/** The state to show. A canceled run keeps what it has paid. */
export function shownState({ state, totals }: Run): string {
  return state === 'canceled' && totals.some(({ paid_cents }) => paid_cents > 0) ? 'rest_canceled' : state;
}

export function isWorking({ state, items_done, items_total }: Run): boolean {
  return state === 'executing' || (state === 'canceled' && items_done < items_total);
}
