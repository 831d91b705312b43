import { DELIVERY_STATUSES, EVENT_TYPES } from '@affiliate/core/browser';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { type Delivery, DeliveryState, pollWhileUnderWay } from './delivery-state.tsx';
import { RetryButton } from './retry-button.tsx';
import { optionsOf } from '../components/labels.ts';

const COLUMNS: Column<Delivery>[] = [
  {
    header: 'Event',
    cell: ({ id, event_type, test }) => (
      <>
        <Anchor component={Link} to={`/settings/webhooks/deliveries/${id}`} fw={500}>
          {event_type}
        </Anchor>
        {test && (
          <Text span size="sm" c="dimmed">
            {' '}
            (test)
          </Text>
        )}
      </>
    ),
  },
  { header: 'Status', cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { header: 'Attempts', numeric: true, cell: ({ attempts_count }) => attempts_count },
  { header: 'Last attempt', cell: ({ last_attempt_at }) => <Moment at={last_attempt_at} none="None yet" /> },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Actions', cell: (delivery) => <RetryButton delivery={delivery} /> },
];

/** Deliveries of one or all endpoints, newest first. */
export function DeliveryLog({ endpointId }: { endpointId?: string | undefined }) {
  const page = usePageNumber();
  const status = useChoice('status', DELIVERY_STATUSES);
  const event_type = useChoice('event_type', EVENT_TYPES);
  const deliveries = useQuery(
    trpc.webhookDeliveries.list.queryOptions(
      { page, endpoint_id: endpointId, status, event_type },
      { refetchInterval: ({ state }) => pollWhileUnderWay(state.data?.data) },
    ),
  );
  return (
    <Stack>
      <Group>
        <Filter label="Status" name="status" all="All" options={optionsOf(DELIVERY_STATUSES)} />
        <Filter label="Event" name="event_type" all="All" options={EVENT_TYPES.map((value) => ({ value, label: value }))} />
      </Group>
      <Loaded query={deliveries}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No deliveries">
              {status || event_type
                ? 'No deliveries match these filters.'
                : 'Events that an active endpoint subscribes to are delivered here. Send a test event to try it.'}
            </EmptyState>
          ) : (
            <>
              <RecordTable caption="Deliveries" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}
