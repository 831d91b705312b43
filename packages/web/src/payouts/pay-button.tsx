import { Text, TextInput } from '@mantine/core';
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
import { Obstacles } from './obstacles.tsx';
import type { Payout } from './payout.ts';

/**
 * A button for a merchant who has paid a payout by hand: it marks the payout as paid. It also works for payouts that are not eligible,
 * because merchants may pay early.
 */
export function PayButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <RowButton action={t.markAsPaid} label={t.markAsPaidNamed({ subject })} onClick={dialog.open} />
      {asking && <PayDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}

function PayDialog({ payout, subject, onClose }: { payout: Payout; subject: string; onClose: () => void }) {
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
