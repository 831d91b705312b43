import { PAYOUT_RUN_ITEM_STATES } from '@affiliate/core/browser';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateLink, nameOf } from '../components/affiliate-link.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { IssueActions } from './run-issues.tsx';
import { ISSUES, type Run, type RunItem } from './run.ts';

const COLUMNS: Column<RunItem>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: t.commissions, numeric: true, cell: ({ commissions_count }) => commissions_count.toLocaleString(LOCALE) },
  {
    header: t.state,
    cell: ({ state, issue, affiliate_id }) => (
      <div>
        <StateBadge state={state} />
        {issue && <Text size="sm">{ISSUES[issue.code]}</Text>}
        {issue?.code === 'missing_payout_details' && (
          <Anchor component={Link} to={`/affiliates/${affiliate_id}`} size="sm">
            {t.enterPayoutDetails}
          </Anchor>
        )}
      </div>
    ),
  },
];

/** Lists the payouts of a run. Refetched whenever the run has progressed. */
export function RunItems({ run, mayPay }: { run: Run; mayPay: boolean }) {
  const page = usePageNumber();
  const state = useChoice('state', PAYOUT_RUN_ITEM_STATES);
  const items = useQuery(
    trpc.payoutRuns.items.queryOptions({ id: run.id, page, state: state && [state] }, { placeholderData: keepPreviousData }),
  );
  const { refetch } = items;
  const shownFor = useRef(run);
  useEffect(() => {
    if (shownFor.current === run) return;
    shownFor.current = run;
    void refetch();
  }, [run, refetch]);
  const actions: Column<RunItem> = { header: t.actions, cell: (item) => <ItemActions run={run} item={item} /> };
  return (
    <Stack>
      <Group>
        <Filter label={t.state} name="state" all={t.all} options={optionsOf(PAYOUT_RUN_ITEM_STATES)} />
      </Group>
      <Loaded query={items}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState picture="payouts" title={t.noPayouts}>
              {t.noItemsInState}
            </EmptyState>
          ) : (
            <>
              <RecordTable
                caption={t.payoutsInThisRun}
                columns={mayPay ? [...COLUMNS, actions] : COLUMNS}
                rows={data}
                keyOf={({ payout_id }) => payout_id}
              />
              <Paging pagination={pagination} />
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

function ItemActions({ run, item: { payout_id, state, affiliate } }: { run: Run; item: RunItem }) {
  if (state === 'failed' && run.state !== 'executing' && run.state !== 'canceled')
    return <IssueActions runId={run.id} selection={{ payout_ids: [payout_id] }} subject={nameOf(affiliate)} />;
  if (state === 'planned' && run.state === 'planned')
    return <ExcludePlanned runId={run.id} payoutId={payout_id} subject={nameOf(affiliate)} />;
  return null;
}

function ExcludePlanned({ runId, payoutId, subject }: { runId: string; payoutId: string; subject: string }) {
  const exclude = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <ConfirmedButton
      action={t.exclude}
      subject={subject}
      consequence={t.excludeConsequence}
      mutation={exclude}
      run={() => exclude.mutateAsync({ id: runId, remediation_action: 'exclude', payout_ids: [payoutId] })}
    />
  );
}
