import type { Outputs } from '../api/client.ts';

/** With its affiliate. */
export type Payout = Outputs['payouts']['list']['data'][number];

/** Why a payout cannot be paid with others now, and what changes that. */
export const REASONS: Record<Payout['ineligible_reasons'][number], string> = {
  below_minimum: 'Below the campaign’s minimum: more commissions must fall due.',
  affiliate_inactive: 'The affiliate is not active.',
  on_hold: 'On hold: the affiliate is suspicious.',
  not_positive: 'Nothing is left to pay, after clawbacks.',
  claimed: 'In an export or a run.',
};
