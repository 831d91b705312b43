import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ReferenceInput, referenceOf } from './pay-button.tsx';
import { type Run, unpaidCount } from './run.ts';
import { counted } from '../components/labels.ts';

/** Executes the run in the background; the page shows its progress. */
export function ExecuteRun({ run }: { run: Run }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>Execute run</Button>
      {asking && <ExecuteDialog run={run} onClose={dialog.close} />}
    </>
  );
}

function ExecuteDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const execute = useMutation(trpc.payoutRuns.execute.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title="Execute run"
      submit="Execute"
      size="md"
      progress={execute}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => execute.mutate({ id: run.id, async: true, ...referenceOf(values) }))}
    >
      <Text>
        Every payout is checked again. Payouts that pass are marked as paid, and webhook events are sent. This cannot be undone.
        Payouts that fail are listed and open again. No money is sent.
      </Text>
      <ReferenceInput {...form.getInputProps('payment_reference')} />
    </FormDialog>
  );
}

export function CancelRun({ run }: { run: Run }) {
  const remediate = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <ConfirmedButton
      action="Cancel run"
      subject={counted(unpaidCount(run), 'unpaid payout')}
      size="sm"
      dangerous
      consequence="Unpaid payouts are released and can be paid in another way. Paid payouts stay paid. A canceled run cannot be executed."
      mutation={remediate}
      run={() => remediate.mutateAsync({ id: run.id, remediation_action: 'cancel' })}
    />
  );
}
