import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { t } from '../texts/events.ts';

type Event = Outputs['events']['list']['data'][number];

const COLUMNS: Column<Event>[] = [
  { header: t.when, cell: ({ occurred_at }) => <Moment at={occurred_at} /> },
  { header: t.event, cell: ({ type }) => type },
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

/** Lists the events about a record, newest first. Only admins may read them. */
export function RecordEvents({ id }: { id: string }) {
  const page = usePageNumber();
  const events = useQuery(trpc.events.list.queryOptions({ subject_id: id, page }));
  return (
    <Section title={t.events}>
      <Text size="sm" c="dimmed">
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
