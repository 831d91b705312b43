import { formatMoney } from '../components/amounts.ts';
import { RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import { type Payout, REASONS } from './payout.ts';

type Assessed = Pick<Payout, 'ineligible_reasons' | 'currency' | 'amount_cents' | 'under_review'>;

/** Says why an open payout cannot be paid, and which commissions it lacks because they are under review. */
export function Obstacles({ payout: { ineligible_reasons, currency, amount_cents, under_review } }: { payout: Assessed }) {
  const isHeld = under_review !== null && under_review !== undefined && under_review.commissions_count > 0;
  // Nothing was taken back if the payout is empty only because all commissions are under review.
  const isEmpty = isHeld && amount_cents === 0;
  return (
    <>
      {ineligible_reasons
        .filter((reason) => !(isEmpty && reason === 'not_positive'))
        // A debt is below every minimum, which says nothing.
        .filter((reason) => !(reason === 'below_minimum' && ineligible_reasons.includes('not_positive')))
        .map((reason) => (
          <div key={reason}>{REASONS[reason]}</div>
        ))}
      {isHeld && (
        <div>
          <Filled
            text={t.underReview}
            values={{
              commissions: (
                <RecordLink to="/commissions/review" inText>
                  {counts.commissions(under_review.commissions_count)}
                </RecordLink>
              ),
              amount: formatMoney(under_review.amount_cents, currency),
            }}
          />
        </div>
      )}
    </>
  );
}
