import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';

type Earnings = Outputs['portal']['home']['earnings'][number];
type Reason = NonNullable<Earnings['payout']>['ineligible_reasons'][number];

/** Why an open payout cannot be paid yet, in words. */
export function reasonInWords(
  reason: Reason,
  { currency, minimum_payout_cents }: Pick<Earnings, 'currency' | 'minimum_payout_cents'>,
): string {
  switch (reason) {
    case 'below_minimum':
      return minimum_payout_cents === null
        ? 'It is below the smallest amount that is paid.'
        : `Payouts start at ${formatMoney(minimum_payout_cents, currency)}.`;
    case 'affiliate_inactive':
      return 'You are not active in this program.';
    case 'on_hold':
      return 'It is on hold until the merchant has reviewed your account.';
    case 'not_positive':
      return 'Refunds took back as much as you earned. Your next commissions settle it.';
    case 'details_changed':
      return 'Your payout details have changed. Payouts wait a few days, in case it was not you.';
    default:
      return 'It is being paid.';
  }
}
