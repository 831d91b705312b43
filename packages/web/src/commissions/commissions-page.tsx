import { Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateFilter, useAffiliateFilter } from '../components/affiliate-filter.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { COMMISSION_STATES, roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { COMMISSION_COLUMNS, type Commission } from './columns.tsx';
import { CommissionSections } from './commission-sections.tsx';
import { ReviewActions } from './review-actions.tsx';
import { optionsOf } from '../components/labels.ts';
import { t } from '../texts/en/commissions.ts';

const ACTIONS: Column<Commission> = {
  header: t.actions,
  cell: (commission) =>
    (commission.state === 'pending' || commission.state === 'due') && <ReviewActions commission={commission} />,
};

export function CommissionsPage() {
  const { role } = useMember();
  const [params] = useSearchParams();
  const page = usePageNumber();
  const state = useChoice('state', COMMISSION_STATES);
  const affiliate_id = useAffiliateFilter();
  const campaign_id = params.get('campaign_id') ?? undefined;
  const commissions = useQuery(
    trpc.commissions.list.queryOptions(
      { page, affiliate_id, campaign_id, state: state && [state], expand: ['sale', 'campaign'] },
      { placeholderData: keepPreviousData },
    ),
  );
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  return (
    <Page title={t.commissions} description={t.amountsThatAffiliatesEarnNewest}>
      <CommissionSections />
      <Group align="flex-end">
        <Filter label={t.state} name="state" all={t.all} options={optionsOf(COMMISSION_STATES)} />
        <Filter
          label={t.campaign}
          name="campaign_id"
          all={t.all}
          options={campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
        <AffiliateFilter />
      </Group>
      <Loaded query={commissions}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title={t.noCommissions}>
              {state || affiliate_id || campaign_id ? t.noCommissionsMatchTheseFilters : t.referredSalesCreateCommissionsConnect}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable
                caption={t.commissions}
                columns={roleAtLeast(role, 'admin') ? [...COMMISSION_COLUMNS, ACTIONS] : COMMISSION_COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
