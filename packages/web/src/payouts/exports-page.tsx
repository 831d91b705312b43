import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Sections } from '../lists/sections.tsx';
import { useMay } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { ApproveExport, DeleteExport, DownloadExport, PayExport, subjectOf } from './export-actions.tsx';
import { ExportRows } from './export-rows.tsx';
import { FORMATS, type PayoutExport, pollWhilePaying } from './formats.ts';
import { ReportExport, ReportResult, useReportUpload } from './report-export.tsx';

const COLUMNS: Column<PayoutExport>[] = [
  { header: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    header: t.state,
    cell: ({ state, livemode, paid_at, payment_reference, returned_count, paid_count, payouts_count, needs_approval }) => (
      <div>
        <StateBadge state={state} />
        <ModeBadge livemode={livemode} />
        {needs_approval && <Text size="sm">{t.exportNeedsApproval}</Text>}
        {paid_at !== null && (
          <Text size="sm" c="dimmed">
            <Moment at={paid_at} /> {payment_reference}
          </Text>
        )}
        {state === 'paying' && (
          <Text size="sm" c="dimmed" role="status">
            {t.ofPaid({ paidCount: paid_count.toLocaleString(LOCALE), payoutsCount: payouts_count.toLocaleString(LOCALE) })}
          </Text>
        )}
        {returned_count > 0 && <Text size="sm">{t.returnedOf({ payouts: counts.payouts(returned_count) })}</Text>}
      </div>
    ),
  },
  { header: t.format, cell: ({ export_format }) => FORMATS.find(({ value }) => value === export_format)?.label },
  { header: t.payouts, numeric: true, cell: ({ payouts_count }) => payouts_count.toLocaleString(LOCALE) },
  {
    header: t.total,
    numeric: true,
    cell: ({ totals }) =>
      totals.map(({ currency, amount_cents }) => <div key={currency}>{formatMoney(amount_cents, currency)}</div>),
  },
  { header: t.notes, cell: ({ notes }) => notes ?? '–' },
];

/** Lists the exports of payouts that the merchant pays outside the service. */
export function ExportsPage() {
  const may = useMay();
  const page = usePageNumber();
  const upload = useReportUpload();
  const exports = useQuery(
    trpc.payoutExports.list.queryOptions(
      { page },
      { placeholderData: keepPreviousData, refetchInterval: ({ state }) => pollWhilePaying(state.data?.data) },
    ),
  );
  const mayPay = may('payouts');
  const actions: Column<PayoutExport> = {
    header: t.actions,
    cell: (record) => (
      <Group gap="xs">
        <ExportRows record={record} />
        {!record.needs_approval && <DownloadExport record={record} subject={t.exportOf({ record: subjectOf(record) })} />}
        {mayPay && record.needs_approval && <ApproveExport record={record} />}
        {mayPay && FORMATS.find(({ value }) => value === record.export_format)?.hasReports && (
          <ReportExport record={record} upload={upload} />
        )}
        {mayPay && record.state === 'processing' && (
          <>
            <PayExport record={record} />
            <DeleteExport record={record} />
          </>
        )}
      </Group>
    ),
  };
  return (
    <Page title={t.payoutExports} description={t.filesForPayingWithPaypal}>
      <Sections of="payouts" />
      <ReportResult upload={upload} />
      <PagedTable
        query={exports}
        caption={t.payoutExports}
        columns={[...COLUMNS, actions]}
        empty={
          <EmptyState
            picture="payouts"
            title={t.noExportsYet}
            action={<ActionLink to="/payouts?state=due">{t.showDuePayouts}</ActionLink>}
          >
            {t.noExportsHint}
          </EmptyState>
        }
      />
    </Page>
  );
}
