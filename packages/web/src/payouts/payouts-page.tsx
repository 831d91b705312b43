import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { AffiliateLink, nameOf } from '../components/affiliate-link.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { PAYOUT_STATES, roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { CreateExport } from './create-export.tsx';
import { PayButton } from './pay-button.tsx';
import { type Payout, REASONS } from './payout.ts';
import { ReturnButton } from './return-button.tsx';
import { PayoutSections } from './payout-sections.tsx';
import { CreateRun } from './create-run.tsx';
import { optionsOf } from '../components/labels.ts';
import { t } from '../texts/en/payouts.ts';
import { t as counts } from '../texts/en/counts.ts';
import { LOCALE } from '../texts/language.ts';

const COLUMNS: Column<Payout>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: t.commissions, numeric: true, cell: ({ commissions_count }) => commissions_count.toLocaleString(LOCALE) },
  { header: t.state, cell: (payout) => <State payout={payout} /> },
  { header: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
];

function State({
  payout: { state, livemode, ineligible_reasons, paid_at, payment_reference, returned_at, return_reason },
}: {
  payout: Payout;
}) {
  return (
    <div>
      <StateBadge state={state} />
      <ModeBadge livemode={livemode} />
      <Text size="sm" component="div" c="dimmed" maw={320}>
        {state === 'paid' || state === 'returned' ? (
          <>
            <Moment at={returned_at ?? paid_at} /> {return_reason ?? payment_reference}
          </>
        ) : (
          ineligible_reasons.map((reason) => <div key={reason}>{REASONS[reason]}</div>)
        )}
      </Text>
    </div>
  );
}

/** All payouts, with the reasons why some are not eligible. */
export function PayoutsPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const state = useChoice('state', PAYOUT_STATES);
  const affiliate_id = useAffiliateFilter();
  const payouts = useQuery(
    trpc.payouts.list.queryOptions(
      { page, affiliate_id, state: state && [state], expand: ['affiliate'] },
      { placeholderData: keepPreviousData },
    ),
  );
  const mayPay = roleAtLeast(role, 'admin');
  const [selected, setSelected] = useState<Payout[]>([]);
  // Payouts that are no longer eligible leave the selection.
  const chosen = selected.filter(({ id }) => payouts.data?.data.find((payout) => payout.id === id)?.eligible !== false);
  const [asking, ask] = useState<'export' | 'run' | null>(null);
  const choose = (payout: Payout, checked: boolean) =>
    setSelected((others) => [...others.filter(({ id }) => id !== payout.id), ...(checked ? [payout] : [])]);
  const done = () => ask(null);
  return (
    <Page
      title={t.payouts}
      description={t.amountsToPayToAffiliates}
      actions={
        mayPay && (
          <Group>
            <Button variant="default" onClick={() => ask('export')}>
              {t.export}
            </Button>
            <Button onClick={() => ask('run')}>{t.createRun}</Button>
          </Group>
        )
      }
    >
      <PayoutSections />
      <Group align="flex-end">
        <Filter label={t.state} name="state" all={t.all} options={optionsOf(PAYOUT_STATES)} />
        <AffiliateFilter />
      </Group>
      {chosen.length > 0 && <Chosen payouts={chosen} clear={() => setSelected([])} />}
      <Loaded query={payouts}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title={t.noPayouts}>
              {state || affiliate_id ? t.noPayoutsMatchTheseFilters : t.dueCommissionsOfAnAffiliate}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable
                caption={t.payouts}
                columns={mayPay ? [selection(chosen, choose), ...COLUMNS, ACTIONS] : COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              {pagination && <Paging pagination={pagination} />}
            </Stack>
          )
        }
      </Loaded>
      {asking === 'export' && <CreateExport payouts={chosen} onClose={done} />}
      {asking === 'run' && <CreateRun payouts={chosen} onClose={done} />}
    </Page>
  );
}

function selection(chosen: readonly Payout[], choose: (payout: Payout, checked: boolean) => void): Column<Payout> {
  return {
    header: t.select,
    cell: (payout) =>
      payout.eligible && (
        <Checkbox
          aria-label={t.selectOf({ payout: subjectOf(payout) })}
          checked={chosen.some(({ id }) => id === payout.id)}
          onChange={(event) => choose(payout, event.currentTarget.checked)}
        />
      ),
  };
}

const ACTIONS: Column<Payout> = {
  header: t.actions,
  cell: (payout) => (
    <>
      {(payout.state === 'due' || payout.state === 'pending') && payout.amount_cents > 0 && (
        <PayButton payout={payout} subject={subjectOf(payout)} />
      )}
      {payout.state === 'paid' && <ReturnButton payout={payout} subject={subjectOf(payout)} />}
    </>
  ),
};

function subjectOf({ amount_cents, currency, affiliate_id, affiliate }: Payout): string {
  return t.amountTo({
    amount: formatMoney(amount_cents, currency),
    affiliate: affiliate ? nameOf(affiliate) : affiliate_id,
  });
}

function Chosen({ payouts, clear }: { payouts: Payout[]; clear: () => void }) {
  return (
    <Group gap="sm" aria-live="polite">
      <Text>{t.selected({ payouts: counts.payouts(payouts.length) })}</Text>
      <Button size="compact-sm" variant="default" onClick={clear}>
        {t.clearSelection}
      </Button>
    </Group>
  );
}
