import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t as applicationTexts } from '../texts/en/applications.ts';
import { CreateAffiliate } from './create-affiliate.tsx';
import type { Affiliate } from './affiliate.ts';
import { optionsOf } from '../components/labels.ts';
import { t } from '../texts/en/affiliates.ts';
import { LOCALE } from '../texts/language.ts';

const COLUMNS: Column<Affiliate>[] = [
  { header: t.affiliate, cell: (affiliate) => <AffiliateLink id={affiliate.id} affiliate={affiliate} /> },
  { header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: t.campaign, cell: ({ campaign }) => campaign?.name },
  { header: t.referrals, numeric: true, cell: ({ commission_stats }) => commission_stats?.visitors.toLocaleString(LOCALE) },
  { header: t.conversions, numeric: true, cell: ({ commission_stats }) => commission_stats?.conversions.toLocaleString(LOCALE) },
  { header: t.earned, numeric: true, cell: (affiliate) => <Earned affiliate={affiliate} /> },
  { header: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
];

/** Commissions that are not voided, per currency. */
function Earned({ affiliate: { commission_stats } }: { affiliate: Affiliate }) {
  const earned = commission_stats?.currencies ?? [];
  if (earned.length === 0) return '–';
  return earned.map(({ currency, pending_cents, due_cents, paid_cents }) => (
    <div key={currency}>{formatMoney(pending_cents + due_cents + paid_cents, currency)}</div>
  ));
}

export function AffiliatesPage() {
  const [params] = useSearchParams();
  const page = usePageNumber();
  const state = useChoice('state', AFFILIATE_STATES);
  const campaign_id = params.get('campaign_id') ?? undefined;
  const search = params.get('search') ?? undefined;
  const affiliates = useQuery(
    trpc.affiliates.list.queryOptions(
      { page, search, campaign_id, state: state && [state], expand: ['campaign', 'commission_stats'] },
      { placeholderData: keepPreviousData },
    ),
  );
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  const [creating, dialog] = useDisclosure();
  const add = (
    <Group>
      <Button component={Link} to="/affiliates/applications" variant="default">
        {applicationTexts.applications}
      </Button>
      <Button onClick={dialog.open}>{t.addAffiliate}</Button>
    </Group>
  );
  return (
    <Page title={t.affiliates} description={t.partnersWhoPromoteYourCampaigns} actions={add}>
      <Group align="flex-end">
        <SearchBox label={t.nameOrEMail} />
        <Filter label={t.state} name="state" all={t.all} options={optionsOf(AFFILIATE_STATES)} />
        <Filter
          label={t.campaign}
          name="campaign_id"
          all={t.all}
          options={campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      </Group>
      <Loaded query={affiliates}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoAffiliates filtered={Boolean(search ?? state ?? campaign_id)} add={add} />
          ) : (
            <Stack>
              <RecordTable caption={t.affiliates} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateAffiliate onClose={dialog.close} />}
    </Page>
  );
}

function NoAffiliates({ filtered, add }: { filtered: boolean; add: ReactNode }) {
  if (filtered) {
    return (
      <EmptyState
        title={t.noMatchingAffiliates}
        action={
          <Button component={Link} to="/affiliates" variant="default">
            {t.showAll}
          </Button>
        }
      >
        {t.searchForPartOfA}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t.noAffiliatesYet} action={add}>
      {t.addAffiliatesHereOrInvite}
    </EmptyState>
  );
}
