import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/portal.ts';

type Earnings = Outputs['portal']['home']['earnings'][number];
type Reason = NonNullable<Earnings['payout']>['ineligible_reasons'][number];

interface Circumstances extends Pick<Earnings, 'currency' | 'minimum_payout_cents'> {
  payout: Pick<NonNullable<Earnings['payout']>, 'amount_cents'> | null;
  in_review_cents?: number;
}

/** Returns a text for a reason why an open payout cannot be paid yet. */
export function reasonInWords(
  reason: Reason,
  { currency, minimum_payout_cents, payout, in_review_cents = 0 }: Circumstances,
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
      // Only a negative amount shows that more was taken back than earned.
      if (payout === null || payout.amount_cents < 0) return t.reasonNotPositive;
      return in_review_cents > 0 ? t.reasonInReview({ amount: formatMoney(in_review_cents, currency) }) : t.reasonEmpty;
    case 'details_changed':
      return t.reasonDetailsChanged;
    default:
      return t.reasonClaimed;
  }
}
