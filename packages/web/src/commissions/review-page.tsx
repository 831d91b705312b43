import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { COMMISSION_COLUMNS, type Commission } from './columns.tsx';
import { CommissionSections } from './commission-sections.tsx';
import { ReviewActions } from './review-actions.tsx';
import { t } from '../texts/en/commissions.ts';

/** Unpaid commissions that are flagged. */
export function ReviewPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const queue = useRef<HTMLElement>(null);
  const commissions = useQuery(
    trpc.commissions.list.queryOptions(
      { page, review_status: ['suspicious'], state: ['pending', 'due'], expand: ['sale', 'campaign'] },
      { placeholderData: keepPreviousData },
    ),
  );
  // The reviewed row, which had the focus, is gone.
  const focusQueue = () => queue.current?.focus();
  const actions: Column<Commission> = {
    header: t.actions,
    cell: (commission) => <ReviewActions commission={commission} onReviewed={focusQueue} />,
  };
  return (
    <Page title={t.needsReview} description={t.flaggedCommissionsTheyAreExcluded}>
      <CommissionSections />
      <section ref={queue} tabIndex={-1} aria-label={t.commissionsToReview} style={{ outline: 'none' }}>
        <Loaded query={commissions}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <EmptyState title={t.nothingToReview}>{t.selfReferralsAndPossibleDuplicates}</EmptyState>
            ) : (
              <Stack>
                <RecordTable
                  caption={t.commissionsToReview}
                  columns={roleAtLeast(role, 'admin') ? [...COMMISSION_COLUMNS, actions] : COMMISSION_COLUMNS}
                  rows={data}
                  keyOf={({ id }) => id}
                />
                <Paging pagination={pagination} />
              </Stack>
            )
          }
        </Loaded>
      </section>
    </Page>
  );
}
