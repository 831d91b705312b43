import { Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { t } from '../texts/webhooks.ts';
import { failureText } from './delivery-state.tsx';

type Attempt = Outputs['webhookDeliveries']['get']['attempts'][number];

/** Shows the request of an attempt and the response to it. */
export function AttemptPanel({ attempt }: { attempt: Attempt }) {
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
