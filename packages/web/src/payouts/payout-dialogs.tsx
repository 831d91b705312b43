import { Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import { Obstacles } from './obstacles.tsx';
import type { Payout } from './payout.ts';

/** Marks a payout as paid, with an optional reference. */
export function PayDialog({ payout, subject, onClose }: { payout: Payout; subject: string; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const pay = useMutation(
    trpc.payouts.pay.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        notify(t.markedAsPaid({ subject }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.markAsPaidNamed({ subject })}
      submit={t.markAsPaid}
      size="md"
      progress={pay}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => pay.mutate({ id: payout.id, ...referenceOf(values) }))}
    >
      <Text>{t.payConsequence({ commissions: counts.commissions(payout.commissions_count) })}</Text>
      <Text component="div" fw={500}>
        <Obstacles payout={payout} />
      </Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

/** A field for the merchant's reference for the transfer. */
export function ReferenceInput(props: object) {
  return <TextInput label={t.paymentReference} description={t.referenceHint} maxLength={255} data-autofocus {...props} />;
}

export function referenceOf({ payment_reference }: { payment_reference: string }): { payment_reference?: string } {
  return payment_reference.trim() === '' ? {} : { payment_reference: payment_reference.trim() };
}

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
