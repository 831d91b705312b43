import { Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { RecordLink } from '../components/cells.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Ago } from '../lists/ago.tsx';
import { pathOf } from '../records/paths.ts';
import { eventInWords } from '../texts/events-in-words.ts';
import { t } from '../texts/overview.ts';

type Activity = Outputs['overview']['get']['recent_activity'][number];

const COLUMNS: Column<Activity>[] = [
  { header: t.event, cell: (activity) => <Event activity={activity} /> },
  { header: t.affiliate, cell: (activity) => <Affiliate activity={activity} /> },
  { header: t.amount, numeric: true, cell: ({ data }) => amountOf(data) },
  { header: t.when, cell: ({ occurred_at }) => <Ago at={occurred_at} /> },
];

function Event({ activity: { type, data } }: { activity: Activity }) {
  const path = typeof data['id'] === 'string' ? pathOf(data['id']) : null;
  const label = eventInWords(type);
  return path === null ? label : <RecordLink to={path}>{label}</RecordLink>;
}

function Affiliate({ activity: { type, data, affiliate_name } }: { activity: Activity }) {
  const id = data[type.startsWith('affiliate.') ? 'id' : 'affiliate_id'];
  return affiliate_name === null ? '–' : <RecordLink to={`/affiliates/${String(id)}`}>{affiliate_name}</RecordLink>;
}

function amountOf({ amount_cents, currency }: Activity['data']): string | null {
  return typeof amount_cents === 'number' && typeof currency === 'string' ? formatMoney(amount_cents, currency) : null;
}

/** Shows the latest events. */
export function RecentActivityPanel({ activity }: { activity: Activity[] }) {
  return (
    <Panel title={t.recentActivity}>
      {activity.length === 0 ? (
        <Text c="dimmed">{t.nothingHappenedYet}</Text>
      ) : (
        <RecordTable caption={t.recentActivity} columns={COLUMNS} rows={activity} keyOf={({ id }) => id} />
      )}
    </Panel>
  );
}
