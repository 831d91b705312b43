import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import type { Endpoint } from './endpoint-status.tsx';
import { counted } from '../components/labels.ts';
import { notify } from '../components/notices.tsx';

/** Sends the events since a time that the endpoint has not received, e.g. after an outage. */
export function ReplayEvents({ endpoint }: { endpoint: Endpoint }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Replay events since…
      </Button>
      {asking && <ReplayDialog endpoint={endpoint} onClose={dialog.close} />}
    </>
  );
}

function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const form = useForm({ initialValues: { since: '' } });
  const resend = useMutation(
    trpc.webhookDeliveries.resendSince.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ created_count, retried_count }) => {
        notify(`${counted(created_count, 'delivery')} created, ${counted(retried_count, 'delivery')} retried.`);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title="Replay events"
      submit="Replay"
      size="md"
      progress={resend}
      onClose={onClose}
      onSubmit={form.onSubmit(({ since }) => resend.mutate({ endpoint_id: endpoint.id, since: instantOf(since) ?? '' }))}
    >
      <Text>Sends all events since this time that were not delivered to {endpoint.name}, for its current event types.</Text>
      <MomentInput label="Events since" required data-autofocus {...form.getInputProps('since')} />
    </FormDialog>
  );
}
