import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { readableText } from '../components/readable-message.ts';
import { StateBadge } from '../components/state-badge.tsx';
import { Ago } from '../lists/ago.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/payment-provider.ts';
import { ConnectionSettings, ReplaceWebhookSecret } from './connection-settings.tsx';
import { KeyAndChoicesOfFirst } from './further-connections.tsx';
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

/** Shows when Stripe's last event was received, counting only events of the connection's mode (live or test). */
function LastEvent({ livemode }: { livemode: boolean }) {
  const { data } = useQuery(trpc.pspConnection.lastEvents.queryOptions({}, { refetchInterval: 10_000 }));
  if (data === undefined) return null;
  const [own, other] = livemode ? [data.live, data.test] : [data.test, data.live];
  if (own === null) return <Text>{other === null ? t.noEvent : t.otherModeOnly}</Text>;
  return (
    <Text>
      <Filled text={t.lastEvent} values={{ at: <Ago at={own} /> }} />
    </Text>
  );
}

const REFRESH_MS = 60_000;

const PROBLEMS = {
  missing: t.endpointMissing,
  disabled: t.endpointDisabled,
  missing_events: t.endpointLacksEvents,
  unreadable: t.endpointUnreadable,
};

/** Shows whether the webhook endpoint in Stripe works, with a button that repairs it, and the permissions that the key lacks. */
function EndpointHealth() {
  const may = useMay();
  const health = useQuery(trpc.pspConnection.endpoint.queryOptions({}, { refetchInterval: REFRESH_MS, retry: false }));
  const repair = useMutation(trpc.pspConnection.repairEndpoint.mutationOptions());
  if (health.isError) return <Failure error={health.error} />;
  if (!health.data) return null;
  const { problem, endpoint, missing_permissions: missing } = health.data;
  return (
    <Stack gap="sm">
      {problem === null ? (
        <Text size="sm">{t.endpointWorks}</Text>
      ) : (
        <Alert color={problem === 'unreadable' ? 'yellow' : 'red'} title={PROBLEMS[problem]}>
          <Stack gap="xs">
            {problem === 'missing_events' && <Text size="sm">{endpoint?.missing_event_types.join(', ')}</Text>}
            {problem !== 'unreadable' && may('psp') && (
              <Group>
                <Button size="compact-sm" variant="default" loading={repair.isPending} onClick={() => repair.mutate({})}>
                  {t.repair}
                </Button>
              </Group>
            )}
            {repair.isError && <Failure error={repair.error} />}
          </Stack>
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert color="yellow" title={t.permissionsMissing}>
          <List size="sm">
            {missing.map(({ resource, access, purpose }) => (
              <List.Item key={resource}>{`${resource} (${t[access]}): ${t[`for_${purpose}`]}`}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
