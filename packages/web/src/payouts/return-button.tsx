import { useDisclosure } from '@mantine/hooks';
import { RowButton } from '../components/cells.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

const ReturnDialog = partOnDemand(async () => (await import('./return-dialog.tsx')).ReturnDialog);

/** A button that marks a paid payout as returned, because its transfer bounced. */
export function ReturnButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <RowButton action={t.markAsReturned} label={t.markAsReturnedOf({ subject })} onClick={dialog.open} />
      {asking && <ReturnDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}
