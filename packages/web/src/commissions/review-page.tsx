import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { SalesToReview } from '../customers/sale-review.tsx';
import { useSort } from '../lists/address.ts';
import type { ListColumn } from '../lists/list-column.ts';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { useSelection } from '../lists/selection.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/commissions.ts';
import { t as sections } from '../texts/sections.ts';
import { Amount, type Commission, COMMISSION_COLUMNS, contestInWords } from './columns.tsx';
import { ReconsiderAction, ReviewActions, subjectOf } from './review-actions.tsx';

const BulkActions = partOnDemand(async () => (await import('./bulk-actions.tsx')).BulkActions);

const QUEUE = { needs_review: true };

/** Lists the commissions that wait for a review. */
export function ReviewPage() {
  const may = useMay();
  const mayReview = may('commissions');
  const page = usePageNumber();
  const sorting = useSort('created_at', 'updated_at', 'amount_cents');
  const selection = useSelection<Commission>();
  const queue = useRef<HTMLElement>(null);
  const commissions = useQuery(
    trpc.commissions.list.queryOptions(
      { page, sort: sorting.sort, ...QUEUE, expand: ['affiliate', 'sale'] },
      { placeholderData: keepPreviousData },
    ),
  );
  // The reviewed row disappears together with its button, which had the focus.
  const focusQueue = () => queue.current?.focus();
  const actions: ListColumn<Commission> = {
    name: 'actions',
    header: t.actions,
    cell: (commission) => <ReviewActions commission={commission} onReviewed={focusQueue} />,
  };
  return (
    <Page title={t.needsReview} description={t.reviewDescription}>
      <Sections of="commissions" />
      <ContestedRewards mayReview={mayReview} />
      <SalesToReview mayReview={mayReview} />
      <section ref={queue} tabIndex={-1} aria-label={t.commissionsToReview} style={{ outline: 'none' }}>
        <RecordList
          caption={t.commissionsToReview}
          query={commissions}
          columns={mayReview ? [...COMMISSION_COLUMNS, actions] : COMMISSION_COLUMNS}
          sorting={sorting}
          csv={(after) => client.commissions.csv.query({ ...QUEUE, sort: sorting.sort, after })}
          selection={
            mayReview
              ? {
                  of: selection,
                  labelOf: (commission) => t.selectOf({ subject: subjectOf(commission) }),
                  actions: <BulkActions selection={selection} />,
                }
              : undefined
          }
          empty={
            <EmptyState
              picture="commissions"
              title={t.nothingToReview}
              action={<ActionLink to="/commissions">{sections.allCommissions}</ActionLink>}
            >
              {t.selfReferralsAndPossibleDuplicates}
            </EmptyState>
          }
        />
      </section>
    </Page>
  );
}

const COLUMNS: Column<Commission>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  { header: t.commission, numeric: true, cell: (commission) => <Amount commission={commission} /> },
  { header: t.paid, cell: ({ paid_at }) => <Moment at={paid_at} /> },
  { header: t.reason, cell: ({ contested, currency }) => contested && contestInWords(contested, currency) },
];

const ACTIONS: Column<Commission> = {
  header: t.actions,
  cell: (commission) => commission.contested && <ReconsiderAction commission={commission} contested={commission.contested} />,
};

/** Lists the paid rewards that facts contradict. Shows nothing if there are none. */
function ContestedRewards({ mayReview }: { mayReview: boolean }) {
  const rewards = useQuery(
    trpc.commissions.list.queryOptions({ contested: true, limit: 100, expand: ['affiliate', 'contested'] }),
  );
  if (rewards.isError) return <Failure error={rewards.error} />;
  if (!rewards.data || rewards.data.data.length === 0) return null;
  return (
    <Section title={t.paidRewards}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.paidRewardsHint}
      </Text>
      <RecordTable
        caption={t.paidRewards}
        columns={mayReview ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={rewards.data.data}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}
