import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import type { Endpoint } from './endpoint-status.tsx';

/** For a receiver that was away: everything since a time that has not reached it. */
export function ReplayEvents({ endpoint }: { endpoint: Endpoint }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Re-send since…
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
        notifications.show({ message: `${created_count} new deliveries, ${retried_count} tried again at once.` });
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title="Re-send since"
      submit="Re-send"
      size="md"
      progress={resend}
      onClose={onClose}
      onSubmit={form.onSubmit(({ since }) => resend.mutate({ endpoint_id: endpoint.id, since: instantOf(since) ?? '' }))}
    >
      <Text>
        Every event since then that has not been delivered to “{endpoint.name}” is sent again, of the types it subscribes to now.
      </Text>
      <MomentInput label="Since" required data-autofocus {...form.getInputProps('since')} />
    </FormDialog>
  );
}
