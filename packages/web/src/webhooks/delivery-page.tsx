import { Anchor, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/webhooks.ts';
import { DeliveryState, failureText, pollWhileUnderWay } from './delivery-state.tsx';
import { ModeName } from './endpoint-mode.tsx';
import { RetryButton } from './retry-button.tsx';

type DeliveryRecord = Outputs['webhookDeliveries']['get'];

export function DeliveryPage() {
  const { id = '' } = useParams();
  const delivery = useQuery(
    trpc.webhookDeliveries.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => pollWhileUnderWay(state.data && [state.data]) },
    ),
  );
  return <LoadedPage query={delivery}>{(record) => <DeliveryDetail delivery={record} />}</LoadedPage>;
}

function DeliveryDetail({ delivery }: { delivery: DeliveryRecord }) {
  const { id, event_type, event_id, endpoint_id, test, created_at, attempts, request_body } = delivery;
  return (
    <Page
      title={t.deliveryOf({ eventType: event_type })}
      description={test ? t.testDelivery : undefined}
      actions={<RetryButton delivery={delivery} size="sm" />}
    >
      <Paper withBorder p="md" radius="md">
        <Stack gap="xs" aria-live="polite">
          <DeliveryState delivery={delivery} />
          <Text size="sm">
            <Filled
              text={t.createdFor}
              values={{
                at: <Moment at={created_at} />,
                endpoint: (
                  <Anchor component={Link} to={`/settings/webhooks/endpoints/${endpoint_id}`} size="sm" underline="always">
                    {t.thisEndpoint}
                  </Anchor>
                ),
              }}
            />
          </Text>
          <Text size="sm">
            <Filled text={t.modeOf} values={{ mode: <ModeName of={delivery} /> }} />
          </Text>
          <Text size="sm" c="dimmed">
            {t.deliveryEvent({ id, eventId: event_id })}
          </Text>
        </Stack>
      </Paper>
      <section aria-labelledby="attempts">
        <Title order={2} size="h4" id="attempts" mb="sm">
          {t.attempts}
        </Title>
        {attempts.length === 0 ? (
          <Text c="dimmed">{t.noAttempts}</Text>
        ) : (
          <Stack>
            {attempts.toReversed().map((attempt) => (
              <AttemptPanel key={attempt.attempt} attempt={attempt} />
            ))}
          </Stack>
        )}
      </section>
      <section aria-labelledby="body">
        <Title order={2} size="h4" id="body" mb="sm">
          {t.requestBody}
        </Title>
        <Code block tabIndex={0} aria-label={t.requestBody}>
          {JSON.stringify(JSON.parse(request_body), null, 2)}
        </Code>
      </section>
    </Page>
  );
}

type Attempt = Outputs['webhookDeliveries']['get']['attempts'][number];

/** Shows the request of an attempt and the response to it. */
function AttemptPanel({ attempt }: { attempt: Attempt }) {
  const { trigger, started_at, duration_ms, request_headers, response_status, response_headers, response_excerpt } = attempt;
  return (
    <Paper withBorder p="md" radius="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {t.attempt({ attempt: attempt.attempt, attempt2: outcome(attempt) })}
          </Title>
          <Text size="sm" c="dimmed">
            <Filled
              text={trigger === 'manual' ? t.attemptByHand : t.attemptBySchedule}
              values={{ at: <Moment at={started_at} />, duration: duration_ms }}
            />
          </Text>
        </Group>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Headers title={t.requestHeaders} headers={request_headers} />
          {response_headers !== null && (
            <Headers title={t.responseHeaders({ responseStatus: response_status })} headers={response_headers} />
          )}
        </SimpleGrid>
        {response_excerpt !== null && response_excerpt !== '' && (
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t.responseBody}
            </Text>
            <Code block tabIndex={0} aria-label={t.responseBodyOfAttempt({ attempt: attempt.attempt })} mah={240}>
              {response_excerpt}
            </Code>
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}

function outcome({ error_code, response_status }: Attempt): string {
  return error_code === null ? t.succeededHttp({ responseStatus: response_status }) : failureText(error_code);
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap={4} miw={0}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Code block tabIndex={0} aria-label={title}>
        {lines.join('\n')}
      </Code>
    </Stack>
  );
}
