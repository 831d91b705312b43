import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';
import { t } from '../texts/overview.ts';

type Month = Outputs['overview']['fallingDue']['months'][number];

const MONTH = onDemand(() => new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' }));

const COLUMNS: Column<Month>[] = [
  { header: t.month, cell: ({ month }) => MONTH().format(new Date(`${month}-01`)) },
  { header: t.commissions, numeric: true, cell: ({ count }) => count.toLocaleString(LOCALE) },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency) },
];

/** Shows pending commissions by the month in which they become due. */
export function FallingDuePanel() {
  const fallingDue = useQuery(trpc.overview.fallingDue.queryOptions({}));
  return (
    <Panel title={t.fallingDue}>
      <Loaded query={fallingDue}>
        {({ months }) =>
          months.length === 0 ? (
            <Text c="dimmed">{t.nothingFallsDue}</Text>
          ) : (
            <RecordTable
              caption={t.fallingDue}
              columns={COLUMNS}
              rows={months}
              keyOf={({ month, currency }) => `${month} ${currency}`}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
