import { roleAtLeast } from '@affiliate/core/browser';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { ArchiveFilter, useArchived } from '../components/archive-filter.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { RestoreButton } from '../components/restore-button.tsx';
import { useMember } from '../session/session.tsx';
import { t as archiveTexts } from '../texts/archive.ts';
import { t } from '../texts/campaigns.ts';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import type { Campaign } from './campaign.ts';
import { CreateCampaign, EditCampaign } from './edit-campaign.tsx';

const COLUMNS: Column<Campaign>[] = [
  {
    header: t.campaign,
    cell: ({ name, url, default: isDefault, private: isPrivate }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {[url, isDefault && t.default, isPrivate && t.private].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  { header: t.commission, cell: rewardOf },
  {
    header: t.holdingPeriod,
    numeric: true,
    cell: ({ days_until_commissions_are_due: days }) => (days === 0 ? t.none : counts.days(days)),
  },
  {
    header: t.minimumPayout,
    numeric: true,
    cell: ({ minimum_payout_cents: cents, minimum_payout_currency: currency }) =>
      cents === 0 ? t.none : formatMoney(cents, currency),
  },
];

function rewardOf({ reward_type, commission_percent, commission_amount_cents, commission_amount_currency }: Campaign): string {
  if (reward_type === 'percent') return `${commission_percent?.toLocaleString(LOCALE)}%`;
  return formatMoney(commission_amount_cents ?? 0, commission_amount_currency ?? 'USD');
}

const ACTIONS: Column<Campaign> = { header: t.actions, cell: (campaign) => <Actions campaign={campaign} /> };

/** Lists the active campaigns or, if the filter is set, the archived ones. */
export function CampaignsPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const archived = useArchived();
  const campaigns = useQuery(
    trpc.campaigns.list.queryOptions({ page, ...(archived ? { archived } : {}) }, { placeholderData: keepPreviousData }),
  );
  const [creating, dialog] = useDisclosure();
  const mayChange = roleAtLeast(role, 'admin');
  const add = mayChange && <Button onClick={dialog.open}>{t.addCampaign}</Button>;
  return (
    <Page title={t.campaigns} description={t.description} actions={add}>
      <Group>
        <ArchiveFilter />
      </Group>
      <Loaded query={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 && archived ? (
            <Text>{archiveTexts.noneArchived}</Text>
          ) : data.length === 0 ? (
            <EmptyState title={t.noCampaignsYet} action={add}>
              {t.noCampaignsHint}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable
                caption={t.campaigns}
                columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateCampaign isFirst={!archived && campaigns.data?.data.length === 0} onClose={dialog.close} />}
    </Page>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { id, name } = campaign;
  const [editing, dialog] = useDisclosure();
  const archive = useMutation(trpc.campaigns.archive.mutationOptions());
  if (campaign.archived_at !== null)
    return <RestoreButton name={name} restore={() => client.campaigns.update.mutate({ id, archived_at: null })} />;
  return (
    <Group gap="xs">
      <Button size="compact-sm" variant="default" aria-label={t.editOf({ name })} onClick={dialog.open}>
        {t.edit}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        component={Link}
        to={`/campaigns/${id}/rewards`}
        aria-label={t.rewardsOf({ name })}
      >
        {t.rewards}
      </Button>
      <ConfirmedButton
        action={t.archive}
        subject={name}
        dangerous
        consequence={<ArchiveConsequence id={id} />}
        mutation={archive}
        run={() => archive.mutateAsync({ id })}
      />
      {editing && <EditCampaign campaign={campaign} onClose={dialog.close} />}
    </Group>
  );
}

/** Says what archiving the campaign does, with counts of the affected records that are loaded when the dialog opens. */
function ArchiveConsequence({ id }: { id: string }) {
  const { data } = useQuery(trpc.campaigns.get.queryOptions({ id, expand: ['usage'] }));
  const usage = data?.usage;
  return (
    <>
      {t.archiveConsequence}{' '}
      {usage &&
        t.endsWithIt({
          affiliates: counts.affiliates(usage.affiliates),
          links: counts.links(usage.links),
          codes: counts.promoCodes(usage.promo_codes),
          subscriptions: counts.runningSubscriptions(usage.subscriptions),
        })}
    </>
  );
}
