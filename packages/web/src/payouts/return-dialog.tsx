import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { Payout } from './payout.ts';

/** Marks a payout as returned, with the reason. */
export function ReturnDialog({ payout, subject, onClose }: { payout: Payout; subject: string; onClose: () => void }) {
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
