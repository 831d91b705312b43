import { Code, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { instantOf } from '../components/local-time.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { Moment } from '../components/moment.tsx';
import { MoreActions } from '../components/more-actions.tsx';
import { notify } from '../components/notices.tsx';
import { Page } from '../components/page.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/webhooks.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EditEndpoint } from './endpoint-forms.tsx';
import { ModeName } from './endpoint-mode.tsx';
import { type Endpoint, EndpointStatus } from './endpoint-status.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTestButton } from './send-test-button.tsx';

export function EndpointPage() {
  const { id = '' } = useParams();
  const endpoint = useQuery(trpc.webhookEndpoints.get.queryOptions({ id }));
  return <LoadedPage query={endpoint}>{(record) => <EndpointDetail endpoint={record} />}</LoadedPage>;
}

function EndpointDetail({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Page
      title={endpoint.name}
      description={endpoint.url}
      actions={
        <Group gap="sm">
          <SendTestButton endpoint={endpoint} size="sm" />
          <DialogButton action={t.edit} variant="filled">
            {(close) => <EditEndpoint endpoint={endpoint} onClose={close} />}
          </DialogButton>
          <MoreActions>
            <RotateSecret endpoint={endpoint} />
            <ReplayEvents endpoint={endpoint} />
            <DeleteButton endpoint={endpoint} />
          </MoreActions>
        </Group>
      }
    >
      <Paper withBorder p="md" radius="md">
        <Stack>
          <Group justify="space-between" align="flex-start">
            <EndpointStatus endpoint={endpoint} />
            <ActiveSwitch endpoint={endpoint} />
          </Group>
          <Group gap={6}>
            {endpoint.event_types.map((type) => (
              <Code key={type}>{type}</Code>
            ))}
          </Group>
          <Text size="sm">
            <Filled text={t.modeOf} values={{ mode: <ModeName of={endpoint} /> }} />
          </Text>
          {endpoint.previous_secret_expires_at !== null && (
            <Text size="sm">
              <Filled text={t.previousSecretUntil} values={{ at: <Moment at={endpoint.previous_secret_expires_at} /> }} />
            </Text>
          )}
        </Stack>
      </Paper>
      <Title order={2} size="h4">
        {t.deliveries}
      </Title>
      <DeliveryLog endpointId={endpoint.id} />
    </Page>
  );
}

function ActiveSwitch({ endpoint: { id, active } }: { endpoint: Endpoint }) {
  const update = useMutation(trpc.webhookEndpoints.update.mutationOptions());
  return (
    <div>
      <Switch
        label={t.active}
        description={t.inactiveHint}
        checked={active}
        disabled={update.isPending}
        onChange={(event) => update.mutate({ id, active: event.currentTarget.checked })}
      />
      {update.isError && <Failure error={update.error} />}
    </div>
  );
}

function DeleteButton({ endpoint: { id, name } }: { endpoint: Endpoint }) {
  const navigate = useNavigate();
  const remove = useMutation(trpc.webhookEndpoints.delete.mutationOptions({ onSuccess: () => navigate('/settings/webhooks') }));
  return (
    <ConfirmedButton
      action={t.delete}
      subject={name}
      size="sm"
      dangerous
      consequence={t.theEndpointReceivesNoMore}
      mutation={remove}
      run={() => remove.mutateAsync({ id })}
    />
  );
}

/** Sends the events since a given time that the endpoint has not received, e.g. after an outage. */
function ReplayEvents({ endpoint }: { endpoint: Endpoint }) {
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
