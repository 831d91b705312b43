import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { type Payout, REASONS } from './payout.ts';
import { counted } from '../components/labels.ts';
import { notify } from '../components/notices.tsx';

/** Records a manual payment. Also offered for payouts that are not eligible, because merchants may pay early. */
export function PayButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Mark as paid: ${subject}`} onClick={dialog.open}>
        Mark as paid
      </Button>
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
        notify(`Marked as paid: ${subject}`);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Mark as paid: ${subject}`}
      submit="Mark as paid"
      size="md"
      progress={pay}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => pay.mutate({ id: payout.id, ...referenceOf(values) }))}
    >
      <Text>
        Marks the payout and its {counted(payout.commissions_count, 'commission')} as paid. New commissions go into the
        affiliate’s next payout. No money is sent. This cannot be undone.
      </Text>
      {payout.ineligible_reasons.map((reason) => (
        <Text key={reason} fw={500}>
          {REASONS[reason]}
        </Text>
      ))}
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

/** Input for the merchant's reference of the transfer. */
export function ReferenceInput(props: object) {
  return (
    <TextInput
      label="Payment reference"
      description="Optional. Your reference of the transfer."
      maxLength={255}
      data-autofocus
      {...props}
    />
  );
}

export function referenceOf({ payment_reference }: { payment_reference: string }): { payment_reference?: string } {
  return payment_reference.trim() === '' ? {} : { payment_reference: payment_reference.trim() };
}
