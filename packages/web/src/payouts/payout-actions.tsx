import { useDisclosure } from '@mantine/hooks';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { RowButton } from '../components/cells.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

const PayDialog = partOnDemand(async () => (await import('./payout-dialogs.tsx')).PayDialog);
const ReturnDialog = partOnDemand(async () => (await import('./payout-dialogs.tsx')).ReturnDialog);

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

/**
 * A button for a merchant who has paid a payout by hand: it marks the payout as paid. It also works for payouts that are not eligible,
 * because merchants may pay early.
 */
function PayButton({ payout, subject, look }: { payout: Payout; subject: string; look?: 'primary' }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <RowButton action={t.markAsPaid} label={t.markAsPaidNamed({ subject })} onClick={dialog.open} {...(look ? { look } : {})} />
      {asking && <PayDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}

/** A button that marks a paid payout as returned, because its transfer bounced. */
function ReturnButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <RowButton action={t.markAsReturned} label={t.markAsReturnedOf({ subject })} onClick={dialog.open} />
      {asking && <ReturnDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}
