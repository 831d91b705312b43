import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { type Column, RecordTable } from '../components/record-table.tsx';

type Due = Outputs['overview']['get']['due'][number];

/** An amount and how many records it comes from, leading to them. */
function amountColumn(header: string, field: Exclude<keyof Due, 'currency'>, path: string): Column<Due> {
  return {
    header,
    numeric: true,
    cell: ({ currency, [field]: { count, amount_cents } }) =>
      count === 0 ? (
        '–'
      ) : (
        <>
          <Anchor component={Link} to={path} aria-label={`${header}: ${formatMoney(amount_cents, currency)}`}>
            {formatMoney(amount_cents, currency)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {count.toLocaleString()}
          </Text>
        </>
      ),
  };
}

const COLUMNS: Column<Due>[] = [
  { header: 'Currency', cell: ({ currency }) => currency },
  amountColumn('Payable', 'payable', '/payouts?state=due'),
  amountColumn('Loading', 'waiting', '/payouts?state=pending'),
  amountColumn('Processing', 'processing', '/payouts?state=processing'),
  amountColumn('Not due yet', 'not_due_yet', '/commissions?state=pending'),
];

/** What is owed to affiliates now. */
export function PayoutsOwedPanel({ due }: { due: Due[] }) {
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby="due">
      <Title order={2} size="h4" id="due" mb="sm">
        What is due
      </Title>
      {due.length === 0 ? (
        <Text c="dimmed">Nothing is owed to anybody. Commissions show up here as sales come in.</Text>
      ) : (
        <RecordTable caption="What is due" columns={COLUMNS} rows={due} keyOf={({ currency }) => currency} />
      )}
    </Paper>
  );
}
