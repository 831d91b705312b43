import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ReferenceInput, referenceOf } from './pay-button.tsx';
import type { Run } from './run.ts';

/** Has a worker execute the run; the page then shows how far it is. */
export function ExecuteRun({ run }: { run: Run }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>Execute…</Button>
      {asking && <ExecuteDialog run={run} onClose={dialog.close} />}
    </>
  );
}

function ExecuteDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const form = useForm({ initialValues: { payment_reference: '' } });
  const execute = useMutation(trpc.payoutRuns.execute.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title="Execute the run"
      submit="Execute"
      size="md"
      progress={execute}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => execute.mutate({ id: run.id, async: true, ...referenceOf(values) }))}
    >
      <Text>
        Every payout is checked once more; those that pass are recorded as paid, which cannot be undone, and webhooks tell of it.
        No money is sent. What fails is listed, and its payout is open again.
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
      subject={`${(run.items_total - run.items_done).toLocaleString()} payouts not paid`}
      size="sm"
      dangerous
      consequence="Everything that is not paid yet is released and can be paid otherwise; what is paid stays paid. A canceled run cannot be executed any more."
      mutation={remediate}
      run={() => remediate.mutateAsync({ id: run.id, remediation_action: 'cancel' })}
    />
  );
}
