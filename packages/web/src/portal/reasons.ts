import type { Outputs } from '../api/client.ts';
import { t } from '../texts/portal.ts';
import { formatMoney } from '../components/amounts.ts';

type Earnings = Outputs['portal']['home']['earnings'][number];
type Reason = NonNullable<Earnings['payout']>['ineligible_reasons'][number];

/** Returns a text for a reason why an open payout cannot be paid yet. */
export function reasonInWords(
  reason: Reason,
  { currency, minimum_payout_cents }: Pick<Earnings, 'currency' | 'minimum_payout_cents'>,
): string {
  switch (reason) {
    case 'below_minimum':
      return minimum_payout_cents === null
        ? t.reasonBelowMinimum
        : t.reasonMinimum({ amount: formatMoney(minimum_payout_cents, currency) });
    case 'affiliate_inactive':
      return t.reasonInactive;
    case 'on_hold':
      return t.reasonOnHold;
    case 'not_positive':
      return t.reasonNotPositive;
    case 'details_changed':
      return t.reasonDetailsChanged;
    default:
      return t.reasonClaimed;
  }
}
