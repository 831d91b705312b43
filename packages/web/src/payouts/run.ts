import type { Outputs } from '../api/client.ts';
import { t } from '../texts/payouts.ts';

/** A payout run without its items. */
export type Run = Outputs['payoutRuns']['get'];
export type RunItem = Outputs['payoutRuns']['items']['data'][number];

/** Texts of the issues of failed items. */
export const ISSUES: Record<NonNullable<RunItem['issue']>['code'], string> = {
  amount_mismatch: t.amountMismatch,
  commission_flagged: t.commissionFlagged,
  affiliate_inactive: t.affiliateNotActive,
  not_positive: t.nothingLeftToPay,
  below_minimum: t.belowMinimum,
  payout_details_changed: t.payoutDetailsHeld,
  screening: t.screening,
  missing_payout_details: t.missingPayoutDetails,
  payment_failed: t.paymentFailed,
};

const POLL_MS = 1_000;

/** Returns the polling interval of a run in milliseconds, or false if the run is not being worked on. */
export function pollWhileWorking(run: Run | undefined): number | false {
  return run && isWorking(run) ? POLL_MS : false;
}

/** Returns the number of payouts in the run that are planned or failed, i.e. neither paid, excluded nor returned. */
export function unpaidCount({ items_done, items_total, issues }: Run): number {
  return items_total - items_done + issues.reduce((sum, { items_count }) => sum + items_count, 0);
}

/** Returns the state to show. A canceled run in which payouts were paid has a state of its own. */
export function shownState({ state, totals }: Run): string {
  return state === 'canceled' && totals.some(({ paid_cents }) => paid_cents > 0) ? 'rest_canceled' : state;
}

export function isWorking({ state, items_done, items_total }: Run): boolean {
  return state === 'executing' || (state === 'canceled' && items_done < items_total);
}
