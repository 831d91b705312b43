import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { RowButton } from '../components/cells.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

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

function ReturnDialog({ payout, subject, onClose }: { payout: Payout; subject: string; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } });
  const giveBack = useMutation(
    trpc.payouts.return.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        notify(t.markedAsReturned({ subject }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.markAsReturnedOf({ subject })}
      submit={t.markAsReturned}
      size="md"
      dangerous
      progress={giveBack}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => giveBack.mutate({ id: payout.id, reason: reason.trim() }))}
    >
      <Text>{t.returnConsequence({ commissions: counts.commissions(payout.commissions_count) })}</Text>
      <Textarea
        label={t.reason}
        description={t.forExampleAccountClosed}
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
