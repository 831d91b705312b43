import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { CellNote } from '../components/cells.tsx';
import { Loaded } from '../components/loaded.tsx';
import { readableText } from '../components/readable-message.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { Ago } from '../lists/ago.tsx';
import { t } from '../texts/payment-provider.ts';

type Activity = Outputs['pspConnection']['activity'];

const REFRESH_MS = 10_000;

const TYPES: Column<Activity['types'][number]>[] = [
  { header: t.event, cell: ({ type }) => type },
  { header: t.lastArrival, cell: ({ last_at }) => (last_at === null ? t.never : <Ago at={last_at} />) },
];

const IGNORED: Column<Activity['ignored'][number]>[] = [
  {
    header: t.reason,
    cell: ({ type, reason }) => (
      <>
        {readableText(reason)}
        {type !== null && <CellNote>{type}</CellNote>}
      </>
    ),
  },
  { header: t.events, numeric: true, cell: ({ count }) => count },
  { header: t.lastArrival, cell: ({ last_at }) => <Ago at={last_at} /> },
];

/** Shows, as they arrive, the events of each type, and which events had no effect and why. */
export function EventActivity() {
  const activity = useQuery(trpc.pspConnection.activity.queryOptions({}, { refetchInterval: REFRESH_MS }));
  return (
    <Loaded query={activity}>
      {({ types, ignored, unused_types: unused, never_meet }) => (
        <>
          {never_meet && (
            <Alert color="yellow" title={t.neverMeet}>
              {t.neverMeetHint}
            </Alert>
          )}
          <Section title={t.eventTypes}>
            <RecordTable caption={t.eventTypes} columns={TYPES} rows={types} keyOf={({ type }) => type} />
          </Section>
          {(ignored.length > 0 || unused.length > 0) && (
            <Section title={t.ignoredEvents}>
              {ignored.length > 0 && (
                <RecordTable
                  caption={t.ignoredEvents}
                  columns={IGNORED}
                  rows={ignored}
                  keyOf={({ type, reason }) => `${type} ${reason}`}
                />
              )}
              {unused.length > 0 && (
                <Text size="sm" mt="sm">
                  {t.unusedTypes({ types: unused.map(({ type }) => type).join(', ') })}
                </Text>
              )}
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}
