import { COMMISSION_STATES, decimalAmount } from '@affiliate/core/browser';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, client, trpc } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { commissionStates, labelOf, stateOfCommission } from '../components/labels.ts';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useSort } from '../lists/address.ts';
import { language } from '../texts/language.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { DownloadList, loadAll } from './download-list.tsx';
import { ListFilters, useListFilters } from './list-filters.tsx';
import { RecordPage } from './record-page.tsx';

type Commission = Outputs['portal']['listCommissions']['data'][number];

const COLUMNS: Column<Commission>[] = [
  { header: t.date, sort: 'created_at', cell: ({ charged_at, created_at }) => <Moment at={charged_at ?? created_at} /> },
  { header: t.purpose, cell: (commission) => <Purpose commission={commission} /> },
  {
    header: t.amount,
    numeric: true,
    sort: 'amount_cents',
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
  { header: t.state, cell: (commission) => <State commission={commission} /> },
];

export function CommissionsPage() {
  const page = usePageNumber();
  const { isFiltered, ...filters } = useListFilters();
  const state = useChoice('state', COMMISSION_STATES);
  const sorting = useSort('created_at', 'amount_cents');
  const asked = { ...filters, ...(state === undefined ? {} : { state }) };
  const query = useQuery(
    trpc.portal.listCommissions.queryOptions({ ...asked, page, sort: sorting.sort }, { placeholderData: keepPreviousData }),
  );
  const load = async () => {
    const rows = await loadAll((after) =>
      client.portal.listCommissions.query({ ...asked, ...after, sort: 'created_at', limit: 100 }),
    );
    return [CSV_HEADERS, ...rows.map(csvRow)];
  };
  return (
    <RecordPage
      title={common.commissions}
      none={t.noCommissions}
      query={query}
      columns={COLUMNS}
      sorting={sorting}
      isFiltered={isFiltered || state !== undefined}
      end={<DownloadList name={common.commissions} load={load} />}
    >
      <ListFilters>
        <Filter label={t.state} name="state" all={t.allStates} options={commissionStates()} />
      </ListFilters>
    </RecordPage>
  );
}

const CSV_HEADERS = [t.date, t.purpose, t.source, t.whyThisAmount, t.amount, t.currency, t.state, t.due, t.paidDate];

function csvRow(commission: Commission): string[] {
  const { charged_at, created_at, description, source, explained_in, amount_cents, currency, state, due_at, paid_at } =
    commission;
  return [
    charged_at ?? created_at,
    [subjectOf(commission), description].filter(Boolean).join(' · '),
    source ?? '',
    explained_in[language],
    decimalAmount(amount_cents, currency),
    currency,
    labelOf(stateOfCommission(state)),
    due_at,
    paid_at ?? '',
  ];
}

/** Says what the commission is for, and how its amount came about. */
function Purpose({ commission }: { commission: Commission }) {
  const { description, source, explained_in } = commission;
  return (
    <>
      {subjectOf(commission)}
      <Text size="sm" c="dimmed">
        {[description, source !== null && t.throughSource({ source }), explained_in[language]].filter(Boolean).join(' · ')}
      </Text>
    </>
  );
}

function subjectOf({ kind, customer, note, campaign_name }: Commission): string {
  if (kind === 'manual') return note ?? t.paidByMerchant;
  if (kind === 'milestone') return t.milestoneReached;
  if (kind === 'lead') return t.rewardForLead;
  const sale = customer === null ? t.saleToSomebody : t.saleTo({ customer });
  if (kind === 'bonus') return t.bonusFor({ sale });
  if (kind === 'adjustment') return t.correction({ sale });
  return campaign_name === null ? sale : t.saleIn({ sale, campaign: campaign_name });
}

const VOID_CAUSES = {
  refund: t.voidedByRefund,
  not_charged: t.notCharged,
  reattributed: t.voidedByOther,
  corrected: t.rewardCorrected,
  merchant: t.voidedByMerchant,
} as const;

function State({ commission: { state, in_review, due_at, paid_at, void_cause, sale_refunded } }: { commission: Commission }) {
  return (
    <div>
      <StateBadge state={stateOfCommission(state)} />
      <Text size="sm" component="div" c="dimmed">
        {in_review && <div>{t.merchantLooks}</div>}
        {state === 'pending' && (
          <div>
            <Filled text={t.dueOn} values={{ date: <Moment at={due_at} /> }} />
          </div>
        )}
        {state === 'paid' && <Moment at={paid_at} />}
        {void_cause !== null && <div>{VOID_CAUSES[void_cause]}</div>}
        {state !== 'voided' && sale_refunded && <div>{t.partRefunded}</div>}
      </Text>
    </div>
  );
}
