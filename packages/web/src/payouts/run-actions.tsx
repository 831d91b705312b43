import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import { ReferenceInput, referenceOf } from './pay-dialog.tsx';
import { type Run, unpaidCount } from './run.ts';

/** A button that executes the run in the background. The page shows the progress. */
export function ExecuteRun({ run }: { run: Run }) {
  return (
    <DialogButton variant="filled" action={t.executeRun}>
      {(close) => <ExecuteDialog run={run} onClose={close} />}
    </DialogButton>
  );
}

function ExecuteDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const execute = useMutation(trpc.payoutRuns.execute.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.executeRun}
      submit={t.markAsPaid}
      size="md"
      progress={execute}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => execute.mutate({ id: run.id, async: true, ...referenceOf(values) }))}
    >
      <Text>{t.everyPayoutIsCheckedAgain}</Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

export function CancelRun({ run }: { run: Run }) {
  const remediate = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <ConfirmedButton
      action={t.cancelRun}
      subject={counts.unpaidPayouts(unpaidCount(run))}
      size="sm"
      dangerous
      consequence={t.unpaidPayoutsAreReleasedAnd}
      mutation={remediate}
      run={() => remediate.mutateAsync({ id: run.id, remediation_action: 'cancel' })}
    />
  );
}
