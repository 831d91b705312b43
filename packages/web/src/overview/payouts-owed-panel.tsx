import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/overview.ts';

type Due = Outputs['overview']['get']['due'][number];

/** Returns a column that shows an amount and, below it, the number of its records. The amount links to the list of these records. */
function amountColumn(header: string, field: Exclude<keyof Due, 'currency'>, path: string): Column<Due> {
  return {
    header,
    numeric: true,
    cell: ({ currency, [field]: { count, amount_cents } }) =>
      count === 0 ? (
        '–'
      ) : (
        <>
          <Anchor component={Link} to={path} size="sm" aria-label={`${header}: ${formatMoney(amount_cents, currency)}`}>
            {formatMoney(amount_cents, currency)}
          </Anchor>
          <Text size="xs" c="dimmed">
            {count.toLocaleString(LOCALE)}
          </Text>
        </>
      ),
  };
}

const COLUMNS: Column<Due>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  amountColumn(t.due, 'payable', '/payouts?state=due'),
  amountColumn(t.pending, 'waiting', '/payouts?state=pending'),
  amountColumn(t.processing, 'processing', '/payouts?state=processing'),
  amountColumn(t.notDueYet, 'not_due_yet', '/commissions?state=pending'),
  amountColumn(t.underReview, 'under_review', '/commissions/review'),
];

/** Shows the amounts owed to affiliates, per currency. */
export function PayoutsOwedPanel({ due }: { due: Due[] }) {
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby="due">
      <Title order={2} size="h4" id="due" mb="sm">
        {t.payoutsOwed}
      </Title>
      {due.length === 0 ? (
        <Text c="dimmed">{t.nothingOwed}</Text>
      ) : (
        <RecordTable caption={t.payoutsOwed} columns={COLUMNS} rows={due} keyOf={({ currency }) => currency} />
      )}
    </Paper>
  );
}
