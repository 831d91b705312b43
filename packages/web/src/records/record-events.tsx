import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { CellNote } from '../components/cells.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { eventInWords } from '../texts/events-in-words.ts';
import { t } from '../texts/events.ts';

type Event = Outputs['events']['list']['data'][number];
type Delivery = NonNullable<Event['deliveries']>[number];

const COLUMNS: Column<Event>[] = [
  { header: t.when, cell: ({ occurred_at }) => <Moment at={occurred_at} /> },
  {
    header: t.event,
    cell: ({ type }) => (
      <>
        {eventInWords(type)}
        <CellNote>{type}</CellNote>
      </>
    ),
  },
  { header: t.deliveries, cell: ({ deliveries }) => <Deliveries deliveries={deliveries ?? []} /> },
  {
    header: t.change,
    cell: ({ data, previous_attributes }) => (
      <details>
        <summary>{t.show}</summary>
        <Code block tabIndex={0}>
          {JSON.stringify({ data, previous_attributes }, null, 2)}
        </Code>
      </details>
    ),
  },
];

/** Lists the events about a record with their deliveries, newest first. Only admins may read them. */
export function RecordEvents({ id }: { id: string }) {
  const page = usePageNumber();
  const events = useQuery(trpc.events.list.queryOptions({ subject_id: id, expand: ['deliveries'], page }));
  return (
    <Section title={t.events}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.eventsHint}
      </Text>
      <Loaded query={events}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Text>{t.noEvents}</Text>
          ) : (
            <>
              <RecordTable caption={t.events} columns={COLUMNS} rows={data} keyOf={(event) => event.id} />
              <Paging pagination={pagination} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Shows the state of each delivery, with a link to its attempts. */
function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions({ limit: 100 }));
  if (deliveries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.noDeliveries}
      </Text>
    );
  }
  const nameOf = (id: string) => endpoints.data?.data.find((endpoint) => endpoint.id === id)?.name ?? t.endpoint;
  return (
    <Stack gap="xs">
      {deliveries.map(({ id, endpoint_id, status }) => (
        <div key={id}>
          <Anchor component={Link} to={`/settings/webhooks/deliveries/${id}`} size="sm">
            {nameOf(endpoint_id)}
          </Anchor>
          <StateBadge state={status} />
        </div>
      ))}
    </Stack>
  );
}
