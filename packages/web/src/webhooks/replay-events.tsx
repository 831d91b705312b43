import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { instantOf } from '../components/local-time.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { notify } from '../components/notices.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/webhooks.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Sends the events since a given time that the endpoint has not received, e.g. after an outage. */
export function ReplayEvents({ endpoint }: { endpoint: Endpoint }) {
  return (
    <DialogButton action={t.replayEventsSince}>{(close) => <ReplayDialog endpoint={endpoint} onClose={close} />}</DialogButton>
  );
}

function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const form = useForm({ initialValues: { since: '' } });
  const resend = useMutation(
    trpc.webhookDeliveries.resendSince.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ created_count, retried_count }) => {
        notify(t.createdRetried({ deliverys: counts.deliveries(created_count), deliverys2: counts.deliveries(retried_count) }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.replayEvents}
      submit={t.replay}
      size="md"
      progress={resend}
      onClose={onClose}
      onSubmit={form.onSubmit(({ since }) => resend.mutate({ endpoint_id: endpoint.id, since: instantOf(since) ?? '' }))}
    >
      <Text>{t.replayHint({ name: endpoint.name })}</Text>
      <MomentInput label={t.eventsSince} required data-autofocus {...form.getInputProps('since')} />
    </FormDialog>
  );
}
