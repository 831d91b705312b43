import type { Outputs } from '../api/client.ts';
import { t } from '../texts/payouts.ts';

/** A payout with its affiliate. */
export type Payout = Outputs['payouts']['list']['data'][number];

/** Returns the mode of an export or a run of these payouts. It is live, unless all payouts are test payouts. */
export function modeOf(payouts: readonly Payout[]): { livemode?: false } {
  return payouts.length > 0 && payouts.every(({ livemode }) => !livemode) ? { livemode: false } : {};
}

/** Texts of the reasons why a payout is not eligible. */
export const REASONS: Record<Payout['ineligible_reasons'][number], string> = {
  below_minimum: t.belowMinimum,
  affiliate_inactive: t.affiliateNotActive,
  on_hold: t.onHoldSuspicious,
  not_positive: t.nothingToPay,
  details_changed: t.payoutDetailsChanged,
  moving_in: t.movingIn,
  screening: t.screening,
  claimed: t.claimed,
};
