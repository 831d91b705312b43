import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/payouts.ts';
import { PayButton } from './pay-button.tsx';
import type { Payout } from './payout.ts';
import { ReturnButton } from './return-button.tsx';

/** Buttons to mark a payout as paid, or a paid one as returned. */
export function PayoutActions({ payout, look }: { payout: Payout; look?: 'primary' }) {
  return (
    <>
      {(payout.state === 'due' || payout.state === 'pending') && payout.amount_cents > 0 && (
        <PayButton payout={payout} subject={subjectOf(payout)} {...(look ? { look } : {})} />
      )}
      {payout.state === 'paid' && <ReturnButton payout={payout} subject={subjectOf(payout)} />}
    </>
  );
}

/** Returns the amount and affiliate of a payout as text for people. */
export function subjectOf({ amount_cents, currency, affiliate }: Payout): string {
  return t.amountTo({
    amount: formatMoney(amount_cents, currency),
    affiliate: affiliate ? nameOf(affiliate) : t.anAffiliate,
  });
}
