import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { type Payout, REASONS } from './payout.ts';

/** For what was paid by hand, eligible or not: that is the merchant's choice. */
export function PayButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Mark paid: ${subject}`} onClick={dialog.open}>
        Mark paid
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
        notifications.show({ message: `Paid: ${subject}` });
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Mark paid: ${subject}`}
      submit="Mark paid"
      size="md"
      progress={pay}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => pay.mutate({ id: payout.id, ...referenceOf(values) }))}
    >
      <Text>
        The payout and its {payout.commissions_count === 1 ? 'commission' : `${payout.commissions_count} commissions`} are
        recorded as paid, and the affiliate’s next commissions open another payout. No money is sent; this cannot be undone.
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

/** What names the transfer at the bank or wallet. */
export function ReferenceInput(props: object) {
  return (
    <TextInput
      label="Payment reference"
      description="Yours, of the transfer; optional."
      maxLength={255}
      data-autofocus
      {...props}
    />
  );
}

export function referenceOf({ payment_reference }: { payment_reference: string }): { payment_reference?: string } {
  return payment_reference.trim() === '' ? {} : { payment_reference: payment_reference.trim() };
}
