import { Anchor, Code, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/webhooks.ts';
import { AttemptPanel } from './attempt-panel.tsx';
import { DeliveryState, pollWhileUnderWay } from './delivery-state.tsx';
import { ModeName } from './mode-name.tsx';
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
