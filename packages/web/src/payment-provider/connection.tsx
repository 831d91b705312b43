import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { readableText } from '../components/readable-message.ts';
import { StateBadge } from '../components/state-badge.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/payment-provider.ts';
import { ConnectionSettings } from './connection-settings.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import { KeyAndChoicesOfFirst } from './further-connections.tsx';
import { LastEvent } from './last-event.tsx';
import { ReplaceWebhookSecret } from './replace-webhook-secret.tsx';
import { WebhookSetup } from './webhook-setup.tsx';

export function Connection({ connection }: { connection: Outputs['pspConnection']['get'] }) {
  const { psp_account_id, psp_account_name, livemode, created_at, previous_webhook_secret_expires_at } = connection;
  const may = useMay();
  const disconnect = useMutation(trpc.pspConnection.disconnect.mutationOptions());
  const name = psp_account_name ?? psp_account_id ?? t.yourAccount;
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {name}
          </Title>
          <StateBadge state={livemode ? 'live_mode' : 'test_mode'} />
        </Group>
        <Text>
          {psp_account_id === null ? (
            <Filled text={t.connectedAt} values={{ at: <Moment at={created_at} /> }} />
          ) : (
            <Filled text={t.connectedAccountAt} values={{ at: <Moment at={created_at} />, account: psp_account_id }} />
          )}
        </Text>
        {previous_webhook_secret_expires_at !== null && (
          <Text size="sm">
            <Filled text={t.previousSecretUntil} values={{ at: <Moment at={previous_webhook_secret_expires_at} /> }} />
          </Text>
        )}
        <LastEvent livemode={livemode === true} />
        <EndpointHealth />
        {may('psp') && <KeyAndChoicesOfFirst />}
        {connection.write_back_problem !== null && (
          <Alert color="red" title={t.writeBackFails}>
            {readableText(connection.write_back_problem)}
          </Alert>
        )}
        {connection.endpoint_id === null && <WebhookSetup connection={connection} />}
        <Group>
          <ConnectionSettings connection={connection} />
          {connection.endpoint_id === null && <ReplaceWebhookSecret />}
          <ConfirmedButton
            action={t.disconnect}
            subject={name}
            size="sm"
            dangerous
            consequence={t.theStoredKeysAreDeleted}
            mutation={disconnect}
            run={() => disconnect.mutateAsync({})}
          />
        </Group>
      </Stack>
    </Paper>
  );
}
