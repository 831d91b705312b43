import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/timeline.ts';

type Entry = Outputs['affiliates']['timeline']['entries'][number];

const COLUMNS: Column<Entry>[] = [
  { header: t.when, cell: ({ at }) => <Moment at={at} /> },
  { header: t.what, cell: ({ kind }) => t[kind] },
  {
    header: t.amount,
    numeric: true,
    cell: ({ amount_cents, currency }) => amount_cents !== null && currency !== null && formatMoney(amount_cents, currency),
  },
];

/** Shows the history of an affiliate, newest first. */
export function TimelinePanel({ id }: { id: string }) {
  const timeline = useQuery(trpc.affiliates.timeline.queryOptions({ id }));
  return (
    <Loaded query={timeline}>
      {({ entries }) => (
        <RecordTable
          caption={t.timeline}
          columns={COLUMNS}
          rows={entries}
          keyOf={({ at, kind, amount_cents }) => `${kind} ${at} ${amount_cents}`}
        />
      )}
    </Loaded>
  );
}
