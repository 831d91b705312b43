import { Stack, Text } from '@mantine/core';
import { formatMoney } from '../components/amounts.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/affiliates.ts';
import { t as counts } from '../texts/counts.ts';
import type { Affiliate } from './affiliate.ts';

type Earnings = NonNullable<Affiliate['commission_stats']>['currencies'][number];

const UNDER_REVIEW = amount(t.underReview, 'under_review_cents');

const COLUMNS: Column<Earnings>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  amount(t.sales, 'gross_sales_cents'),
  amount(t.pending, 'pending_cents'),
  amount(t.due, 'due_cents'),
  UNDER_REVIEW,
  amount(t.paid, 'paid_cents'),
  amount(t.voided, 'voided_cents'),
];

function amount(header: string, field: Exclude<keyof Earnings, 'currency'>): Column<Earnings> {
  return { header, numeric: true, cell: ({ currency, [field]: cents }) => formatMoney(cents, currency) };
}

/** Leaves out the column of what is under review if nothing is. */
function columnsOf(currencies: readonly Earnings[]): Column<Earnings>[] {
  return currencies.some(({ under_review_cents }) => under_review_cents !== 0)
    ? COLUMNS
    : COLUMNS.filter((column) => column !== UNDER_REVIEW);
}

/** Shows the referrals, sales and commissions of an affiliate, per currency. */
export function EarningsPanel({ affiliate: { commission_stats: stats } }: { affiliate: Affiliate }) {
  if (!stats) return null;
  return (
    <Stack>
      <Text>
        {counts.referrals(stats.visitors)}, {counts.leads(stats.leads)}, {counts.conversions(stats.conversions)}
      </Text>
      {stats.currencies.length === 0 ? (
        <Text c="dimmed">{t.noSalesYet}</Text>
      ) : (
        <RecordTable
          caption={t.earnings}
          columns={columnsOf(stats.currencies)}
          rows={stats.currencies}
          keyOf={({ currency }) => currency}
        />
      )}
    </Stack>
  );
}
