import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import type { PayoutExport } from './formats.ts';
import { ReferenceInput, referenceOf } from './pay-button.tsx';
import { counted } from '../components/labels.ts';

/** Description of an export for screen readers. */
export function subjectOf({ payouts_count }: PayoutExport): string {
  return counted(payouts_count, 'payout');
}

/** For use after the money was sent. */
export function PayExport({ record }: { record: PayoutExport }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Mark as paid: ${subjectOf(record)}`} onClick={dialog.open}>
        Mark as paid
      </Button>
      {asking && <PayDialog record={record} onClose={dialog.close} />}
    </>
  );
}

function PayDialog({ record, onClose }: { record: PayoutExport; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const pay = useMutation(trpc.payoutExports.pay.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={`Mark as paid: ${subjectOf(record)}`}
      submit="Mark as paid"
      size="md"
      progress={pay}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => pay.mutate({ payout_export_id: record.id, ...referenceOf(values) }))}
    >
      <Text>Marks all payouts in this export and their commissions as paid. This cannot be undone.</Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

export function DeleteExport({ record }: { record: PayoutExport }) {
  const release = useMutation(trpc.payoutExports.release.mutationOptions());
  return (
    <ConfirmedButton
      action="Delete"
      subject={`export of ${subjectOf(record)}`}
      dangerous
      consequence="Its payouts are released and can be paid in another way. Delete the export only if you have not uploaded the file."
      mutation={release}
      run={() => release.mutateAsync({ id: record.id })}
    />
  );
}
