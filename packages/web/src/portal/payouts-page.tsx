import { Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { LOCALE, language } from '../texts/language.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { DownloadButton } from './download-button.tsx';
import { RecordPage } from './record-page.tsx';

type Payout = Outputs['portal']['listPayouts']['data'][number];

const COLUMNS: Column<Payout>[] = [
  { header: t.date, cell: ({ paid_at, created_at }) => <Moment at={paid_at ?? created_at} /> },
  { header: t.state, cell: (payout) => <State payout={payout} /> },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: common.commissions, numeric: true, cell: ({ commissions_count }) => commissions_count.toLocaleString(LOCALE) },
  {
    header: t.statement,
    cell: (payout) => (
      <Group gap="xs" wrap="nowrap">
        <StatementButton payout={payout} format="pdf" />
        <StatementButton payout={payout} format="csv" />
      </Group>
    ),
  },
];

export function PayoutsPage() {
  const page = usePageNumber();
  const query = useQuery(trpc.portal.listPayouts.queryOptions({ page }));
  return <RecordPage title={common.payouts} none={t.noPayouts} query={query} columns={COLUMNS} />;
}

function State({ payout }: { payout: Payout }) {
  const home = useQuery(trpc.portal.home.queryOptions());
  const { state, currency, payment_in, returned_at, return_reason } = payout;
  const outlook = home.data?.earnings.find((each) => each.currency === currency)?.outlook;
  return (
    <div>
      <StateBadge state={state} />
      <Text size="sm" component="div" c="dimmed">
        {payment_in?.[language]}
        {(state === 'pending' || state === 'due') && outlook?.in_words[language]}
        {state === 'returned' && (
          <>
            <Filled text={t.cameBack} values={{ date: <Moment at={returned_at} /> }} /> {return_reason}
          </>
        )}
      </Text>
    </div>
  );
}

function StatementButton({
  payout: { id, amount_cents, currency, paid_at, created_at },
  format,
}: {
  payout: Payout;
  format: 'csv' | 'pdf';
}) {
  const queryClient = useQueryClient();
  const load = async () => {
    const { download_url } = await queryClient.fetchQuery(
      trpc.portal.getStatement.queryOptions({ id, format, language }, { gcTime: 0 }),
    );
    return download_url;
  };
  const name = format.toUpperCase();
  return (
    <DownloadButton
      text={name}
      label={t.statementOf({
        format: name,
        amount: formatMoney(amount_cents, currency),
        date: new Date(paid_at ?? created_at).toLocaleString(LOCALE),
      })}
      load={load}
    />
  );
}
