import { Anchor, Code, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { subjectOf as commissionSubject } from '../commissions/review-actions.tsx';
import { nameOf } from '../components/affiliate-link.tsx';
import { CellNote } from '../components/cells.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { saleName } from '../customers/sale-columns.tsx';
import { subjectOf as payoutSubject } from '../payouts/payout-actions.tsx';
import { t as customers } from '../texts/customers.ts';
import { eventInWords } from '../texts/events-in-words.ts';
import { t } from '../texts/events.ts';
import { type LinkedRecord, RecordLinks } from './record-links.tsx';

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
function RecordEvents({ id }: { id: string }) {
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

/** The page of the events about a record, as webhook endpoints receive them. */
function EventsPage<Data>({
  of,
  query,
  headOf,
}: {
  of: LinkedRecord;
  query: UseQueryResult<Data, unknown>;
  headOf: (record: Data) => { title: string; description: string | null };
}) {
  const { id = '' } = useParams();
  return (
    <LoadedPage query={query}>
      {(record) => (
        <Page {...headOf(record)}>
          <RecordLinks of={of} id={id} />
          <RecordEvents id={id} />
        </Page>
      )}
    </LoadedPage>
  );
}

export function AffiliateEventsPage() {
  const { id = '' } = useParams();
  const query = useQuery(trpc.affiliates.get.queryOptions({ id }));
  return <EventsPage of="affiliate" query={query} headOf={(it) => ({ title: nameOf(it), description: it.email })} />;
}

export function CommissionEventsPage() {
  const { id = '' } = useParams();
  const query = useQuery(trpc.commissions.get.queryOptions({ id, expand: ['affiliate'] }));
  return (
    <EventsPage of="commission" query={query} headOf={(it) => ({ title: t.commission, description: commissionSubject(it) })} />
  );
}

export function SaleEventsPage() {
  const { id = '' } = useParams();
  const query = useQuery(trpc.sales.get.queryOptions({ id }));
  const headOf = (sale: Outputs['sales']['get']) => ({
    title: customers.saleNamed({ name: saleName(sale) }),
    description: sale.description,
  });
  return <EventsPage of="sale" query={query} headOf={headOf} />;
}

export function PayoutEventsPage() {
  const { id = '' } = useParams();
  const query = useQuery(trpc.payouts.get.queryOptions({ id, expand: ['affiliate'] }));
  return <EventsPage of="payout" query={query} headOf={(it) => ({ title: t.payout, description: payoutSubject(it) })} />;
}
