import { useDisclosure } from '@mantine/hooks';
import { RowButton } from '../components/cells.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

const PayDialog = partOnDemand(async () => (await import('./pay-dialog.tsx')).PayDialog);

/**
 * A button for a merchant who has paid a payout by hand: it marks the payout as paid. It also works for payouts that are not eligible,
 * because merchants may pay early.
 */
export function PayButton({ payout, subject, look }: { payout: Payout; subject: string; look?: 'primary' }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <RowButton action={t.markAsPaid} label={t.markAsPaidNamed({ subject })} onClick={dialog.open} {...(look ? { look } : {})} />
      {asking && <PayDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}
