import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/payment-provider.ts';

const REFRESH_MS = 60_000;

const PROBLEMS = {
  missing: t.endpointMissing,
  disabled: t.endpointDisabled,
  missing_events: t.endpointLacksEvents,
  unreadable: t.endpointUnreadable,
};

/** Shows whether the webhook endpoint in Stripe works, with a button that repairs it, and the permissions that the key lacks. */
export function EndpointHealth() {
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
