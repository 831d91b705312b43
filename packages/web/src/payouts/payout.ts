import type { Outputs } from '../api/client.ts';
import { t } from '../texts/en/payouts.ts';

/** A payout with its affiliate. */
export type Payout = Outputs['payouts']['list']['data'][number];

/** The mode of an export or a run of these payouts: live, unless all of them are test ones. */
export function modeOf(payouts: readonly Payout[]): { livemode?: false } {
  return payouts.length > 0 && payouts.every(({ livemode }) => !livemode) ? { livemode: false } : {};
}

/** Why a payout is not eligible. */
export const REASONS: Record<Payout['ineligible_reasons'][number], string> = {
  below_minimum: t.belowTheCampaignsMinimumPayout,
  affiliate_inactive: t.theAffiliateIsNotActive,
  on_hold: t.onHoldTheAffiliateIs,
  not_positive: t.nothingToPayAfterClawbacks,
  details_changed: t.theAffiliateHasJustChanged,
  claimed: t.includedInAnExportOr,
};
