import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { t } from '../texts/webhooks.ts';
import { CreateEndpoint } from './endpoint-forms.tsx';
import { ModeName } from './endpoint-mode.tsx';
import { type Endpoint, EndpointStatus } from './endpoint-status.tsx';
import { SendTestButton } from './send-test-button.tsx';

const COLUMNS: Column<Endpoint>[] = [
  {
    header: t.endpoint,
    cell: (endpoint) => (
      <>
        <Anchor component={Link} to={`/settings/webhooks/endpoints/${endpoint.id}`} fw={500}>
          {endpoint.name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {endpoint.url}
        </Text>
      </>
    ),
  },
  { header: t.status, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  {
    header: t.events,
    cell: ({ event_types }) => (event_types.length > 2 ? t.eventTypes({ length: event_types.length }) : event_types.join(', ')),
  },
  { header: t.mode, cell: (endpoint) => <ModeName of={endpoint} /> },
  { header: t.lastSuccess, cell: (endpoint) => <Moment at={endpoint.last_success_at} none={t.never} /> },
  { header: t.actions, cell: (endpoint) => <SendTestButton endpoint={endpoint} /> },
];

export function EndpointsPage() {
  const page = usePageNumber();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions({ page }));
  const act = useAct({ add: 'webhooks' });
  const add = <Button onClick={() => act.ask('add')}>{t.addEndpoint}</Button>;
  return (
    <Page
      title={t.webhooks}
      description={t.description}
      actions={
        <Group>
          <Button variant="default" component={Link} to="/settings/webhooks/deliveries">
            {t.deliveries}
          </Button>
          {add}
        </Group>
      }
    >
      <PagedTable
        query={endpoints}
        caption={t.webhookEndpoints}
        columns={COLUMNS}
        empty={
          <EmptyState picture="webhooks" title={t.noEndpointsYet} action={add}>
            {t.noEndpointsHint}
          </EmptyState>
        }
      />
      {act.current === 'add' && <CreateEndpoint onClose={act.end} />}
    </Page>
  );
}
