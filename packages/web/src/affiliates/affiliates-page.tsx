import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { client, trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { AffiliateLink, nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ArchiveFilter, useArchived } from '../components/archive-filter.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useDayRange, useSort } from '../lists/address.ts';
import { Ago } from '../lists/ago.tsx';
import { CampaignName } from '../lists/campaign-name.tsx';
import { EmptyList } from '../lists/empty-list.tsx';
import type { ListColumn } from '../lists/list-column.ts';
import { CAMPAIGN_CHOICES, LISTS } from '../lists/lists.ts';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RecordList } from '../lists/record-list.tsx';
import { Sections } from '../lists/sections.tsx';
import { useSelection } from '../lists/selection.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import { LOCALE } from '../texts/language.ts';
import type { Affiliate } from './affiliate.ts';

const COLUMNS: ListColumn<Affiliate>[] = [
  {
    name: 'affiliate',
    header: t.affiliate,
    sort: 'email',
    cell: (affiliate) => <AffiliateLink id={affiliate.id} affiliate={affiliate} />,
  },
  { name: 'state', header: t.state, cell: ({ state }) => <StateBadge state={state} /> },
  { name: 'campaign', header: t.campaign, cell: ({ campaign_id }) => <CampaignName id={campaign_id} /> },
  {
    name: 'referrals',
    header: t.referrals,
    numeric: true,
    cell: ({ commission_stats }) => commission_stats?.visitors.toLocaleString(LOCALE),
  },
  {
    name: 'conversions',
    header: t.conversions,
    numeric: true,
    cell: ({ commission_stats }) => commission_stats?.conversions.toLocaleString(LOCALE),
  },
  { name: 'earned', header: t.earned, numeric: true, stays: true, cell: (affiliate) => <Earned affiliate={affiliate} /> },
  { name: 'created', header: t.created, sort: 'created_at', cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'updated', header: t.changed, isExtra: true, sort: 'updated_at', cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

/** Shows the affiliate's commissions per currency, without voided ones. */
function Earned({ affiliate: { commission_stats } }: { affiliate: Affiliate }) {
  const earned = commission_stats?.currencies ?? [];
  if (earned.length === 0) return '–';
  return earned.map(({ currency, pending_cents, due_cents, paid_cents }) => (
    <div key={currency}>{formatMoney(pending_cents + due_cents + paid_cents, currency)}</div>
  ));
}

const BulkActions = partOnDemand(async () => (await import('./bulk-actions.tsx')).BulkActions);
const CreateAffiliate = partOnDemand(async () => (await import('./affiliate-forms.tsx')).CreateAffiliate);
const Invite = partOnDemand(async () => (await import('../members/invite.tsx')).Invite);
const SignUpLinks = partOnDemand(async () => (await import('./sign-up-links.tsx')).SignUpLinks);

const LIST = LISTS.affiliates;

export function AffiliatesPage() {
  const [params] = useSearchParams();
  const page = usePageNumber();
  const state = useChoice('state', AFFILIATE_STATES);
  const signedIn = useChoice('signed_in', ['yes', 'no'] as const);
  const campaign_id = params.get('campaign_id') ?? undefined;
  const search = params.get('search') ?? undefined;
  const { since, until } = useDayRange();
  const sorting = useSort(LIST.sort, 'updated_at', 'email');
  const archived = useArchived() || undefined;
  const filters = {
    archived,
    search,
    campaign_id,
    state: state && [state],
    signed_in: signedIn && signedIn === 'yes',
    created_since: since,
    created_until: until,
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const affiliates = useQuery(
    trpc.affiliates.list.queryOptions(
      { page, sort: sorting.sort, ...filters, expand: LIST.expand },
      { placeholderData: keepPreviousData },
    ),
  );
  const campaigns = useQuery(trpc.campaigns.list.queryOptions(CAMPAIGN_CHOICES));
  const choices = campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const selection = useSelection<Affiliate>();
  const act = useAct({ add: 'affiliates', invite: 'invitations', share: 'invitations' });
  const may = useMay();
  const mayChange = may('affiliates');
  const add = mayChange && (
    <Group>
      {may('invitations') && (
        <>
          <Button variant="default" onClick={() => act.ask('share')}>
            {t.signUpLinks}
          </Button>
          <Button variant="default" onClick={() => act.ask('invite')}>
            {t.inviteByEmail}
          </Button>
        </>
      )}
      <Button onClick={() => act.ask('add')}>{t.addAffiliate}</Button>
    </Group>
  );
  return (
    <Page title={t.affiliates} description={t.description} actions={add}>
      <Sections of="affiliates" />
      <RecordList
        caption={t.affiliates}
        query={affiliates}
        columns={COLUMNS}
        sorting={sorting}
        csv={(after) => client.affiliates.csv.query({ ...filters, sort: sorting.sort, after })}
        selection={
          archived || !mayChange
            ? undefined
            : {
                of: selection,
                labelOf: (affiliate) => t.selectOf({ name: nameOf(affiliate) }),
                actions: <BulkActions selection={selection} campaigns={choices} />,
              }
        }
        filters={
          <>
            <SearchBox label={t.nameOrEmail} />
            <Filter label={t.state} name="state" all={t.all} options={optionsOf(AFFILIATE_STATES)} />
            <Filter label={t.campaign} name="campaign_id" all={t.all} options={choices} />
            <ArchiveFilter />
            <RangeFilters further={{ name: 'signed_in', field: <SignedInFilter /> }} />
          </>
        }
        empty={
          <EmptyList
            picture="affiliates"
            title={isFiltered ? t.noMatchingAffiliates : t.noAffiliatesYet}
            isFiltered={isFiltered}
            noMatches={t.nothingFoundHint}
            action={mayChange && <Button onClick={() => act.ask('add')}>{t.addAffiliate}</Button>}
          >
            {t.noAffiliatesHint}
          </EmptyList>
        }
      />
      {act.current === 'add' && <CreateAffiliate onClose={act.end} />}
      {act.current === 'invite' && <Invite kind="affiliate" onClose={act.end} />}
      {act.current === 'share' && <SignUpLinks onClose={act.end} />}
    </Page>
  );
}

function SignedInFilter() {
  return (
    <Filter
      label={t.portal}
      name="signed_in"
      all={t.all}
      options={[
        { value: 'yes', label: t.signedIn },
        { value: 'no', label: t.neverSignedIn },
      ]}
    />
  );
}
