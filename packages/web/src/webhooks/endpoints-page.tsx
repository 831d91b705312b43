import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import { type Endpoint, EndpointStatus } from './endpoint-status.tsx';
import { SendTestButton } from './send-test-button.tsx';

const COLUMNS: Column<Endpoint>[] = [
  {
    header: 'Endpoint',
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
  { header: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  {
    header: 'Events',
    cell: ({ event_types }) => (event_types.length > 2 ? `${event_types.length} event types` : event_types.join(', ')),
  },
  { header: 'Last success', cell: (endpoint) => <Moment at={endpoint.last_success_at} none="Never" /> },
  { header: 'Actions', cell: (endpoint) => <SendTestButton endpoint={endpoint} /> },
];

export function EndpointsPage() {
  const page = usePageNumber();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions({ page }));
  const [creating, dialog] = useDisclosure();
  const add = <Button onClick={dialog.open}>Add endpoint</Button>;
  return (
    <Page
      title="Webhooks"
      description="Send signed events to your systems as they happen."
      actions={
        <Group>
          <Button variant="default" component={Link} to="/settings/webhooks/deliveries">
            Deliveries
          </Button>
          {add}
        </Group>
      }
    >
      <Loaded query={endpoints}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No endpoints yet" action={add}>
              Add the URL of your receiver, select its events, and send a test event.
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption="Webhook endpoints" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateEndpoint onClose={dialog.close} />}
    </Page>
  );
}
