import { Stack, Text } from '@mantine/core';
import { formatMoney } from '../components/amounts.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';
import type { Affiliate } from './affiliate.ts';
import { counted } from '../components/labels.ts';

type Earnings = NonNullable<Affiliate['commission_stats']>['currencies'][number];

const COLUMNS: Column<Earnings>[] = [
  { header: 'Currency', cell: ({ currency }) => currency },
  amount('Sales', 'gross_sales_cents'),
  amount('Pending', 'pending_cents'),
  amount('Due', 'due_cents'),
  amount('Paid', 'paid_cents'),
  amount('Voided', 'voided_cents'),
];

function amount(header: string, field: Exclude<keyof Earnings, 'currency'>): Column<Earnings> {
  return { header, numeric: true, cell: ({ currency, [field]: cents }) => formatMoney(cents, currency) };
}

/** Referrals, sales and commissions of an affiliate, per currency. */
export function EarningsPanel({ affiliate: { commission_stats: stats } }: { affiliate: Affiliate }) {
  if (!stats) return null;
  return (
    <Stack>
      <Text>
        {counted(stats.visitors, 'referral')}, {counted(stats.leads, 'lead')}, {counted(stats.conversions, 'conversion')}
      </Text>
      {stats.currencies.length === 0 ? (
        <Text c="dimmed">No sales yet.</Text>
      ) : (
        <RecordTable caption="Earnings" columns={COLUMNS} rows={stats.currencies} keyOf={({ currency }) => currency} />
      )}
    </Stack>
  );
}
