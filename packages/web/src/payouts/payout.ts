import type { Outputs } from '../api/client.ts';

/** A payout with its affiliate. */
export type Payout = Outputs['payouts']['list']['data'][number];

/** The mode of an export or a run of these payouts: live, unless all of them are test ones. */
export function modeOf(payouts: readonly Payout[]): { livemode?: false } {
  return payouts.length > 0 && payouts.every(({ livemode }) => !livemode) ? { livemode: false } : {};
}

/** Why a payout is not eligible. */
export const REASONS: Record<Payout['ineligible_reasons'][number], string> = {
  below_minimum: 'Below the campaign’s minimum payout.',
  affiliate_inactive: 'The affiliate is not active.',
  on_hold: 'On hold: the affiliate is suspicious.',
  not_positive: 'Nothing to pay after clawbacks.',
  details_changed: 'The affiliate has just changed the payout details.',
  claimed: 'Included in an export or a run.',
};
