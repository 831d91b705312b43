import { Button, Checkbox, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { PayoutExport } from './formats.ts';
import { ReferenceInput, referenceOf } from './pay-dialog.tsx';

/** Describes an export by its number of payouts, for screen readers. */
export function subjectOf({ payouts_count }: PayoutExport): string {
  return counts.payouts(payouts_count);
}

/** A button that marks an export as paid, after the merchant has sent the money. */
export function PayExport({ record }: { record: PayoutExport }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t.markAsPaidOf({ record: subjectOf(record) })}
        onClick={dialog.open}
      >
        {t.markAsPaid}
      </Button>
      {asking && <PayDialog record={record} onClose={dialog.close} />}
    </>
  );
}

function PayDialog({ record, onClose }: { record: PayoutExport; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '', already_sent: false } });
  const pay = useMutation(trpc.payoutExports.pay.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.markAsPaidOf({ record: subjectOf(record) })}
      submit={t.markAsPaid}
      size="md"
      progress={pay}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        pay.mutate({ payout_export_id: record.id, already_sent: values.already_sent, ...referenceOf(values) }),
      )}
    >
      <Text>{t.payExportConsequence}</Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
      {(pay.isError || form.getValues().already_sent) && (
        <Checkbox label={t.alreadySent} {...form.getInputProps('already_sent', { type: 'checkbox' })} />
      )}
    </FormDialog>
  );
}

/** A button with which another person than the creator approves an export, so that its file can be read. */
export function ApproveExport({ record: { id, items_hash, totals } }: { record: PayoutExport }) {
  const approve = useMutation(trpc.payoutExports.approve.mutationOptions());
  return (
    <ConfirmedButton
      action={t.approve}
      subject={totals.map(({ currency, amount_cents }) => formatMoney(amount_cents, currency)).join(', ')}
      consequence={t.approveConsequence}
      mutation={approve}
      run={() => approve.mutateAsync({ id, ...(items_hash !== null && { items_hash }) })}
    />
  );
}

export function DeleteExport({ record }: { record: PayoutExport }) {
  const release = useMutation(trpc.payoutExports.release.mutationOptions());
  return (
    <ConfirmedButton
      action={t.delete}
      subject={t.exportOf({ record: subjectOf(record) })}
      dangerous
      consequence={t.itsPayoutsAreReleasedAnd}
      mutation={release}
      run={() => release.mutateAsync({ id: record.id })}
    />
  );
}
