import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import type { Campaign } from './campaign.ts';
import { CreateCampaign, EditCampaign } from './edit-campaign.tsx';
import { counted } from '../components/labels.ts';

const COLUMNS: Column<Campaign>[] = [
  {
    header: 'Campaign',
    cell: ({ name, url, default: isDefault, private: isPrivate }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {[url, isDefault && 'Default', isPrivate && 'Private'].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  { header: 'Commission', cell: rewardOf },
  {
    header: 'Holding period',
    numeric: true,
    cell: ({ days_until_commissions_are_due: days }) => (days === 0 ? 'None' : counted(days, 'day')),
  },
  {
    header: 'Minimum payout',
    numeric: true,
    cell: ({ minimum_payout_cents: cents, minimum_payout_currency: currency }) =>
      cents === 0 ? 'None' : formatMoney(cents, currency),
  },
];

function rewardOf({ reward_type, commission_percent, commission_amount_cents, commission_amount_currency }: Campaign): string {
  if (reward_type === 'percent') return `${commission_percent?.toLocaleString()}%`;
  return formatMoney(commission_amount_cents ?? 0, commission_amount_currency ?? 'USD');
}

const ACTIONS: Column<Campaign> = { header: 'Actions', cell: (campaign) => <Actions campaign={campaign} /> };

/** The campaigns that are not archived. */
export function CampaignsPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ page }, { placeholderData: keepPreviousData }));
  const [creating, dialog] = useDisclosure();
  const mayChange = roleAtLeast(role, 'admin');
  const add = mayChange && <Button onClick={dialog.open}>Add campaign</Button>;
  return (
    <Page title="Campaigns" description="Promotions with the terms under which affiliates earn commissions." actions={add}>
      <Loaded query={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No campaigns yet" action={add}>
              A campaign sets the landing page and the commission. Create one before you add affiliates.
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable
                caption="Campaigns"
                columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateCampaign onClose={dialog.close} />}
    </Page>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { id, name } = campaign;
  const [editing, dialog] = useDisclosure();
  const archive = useMutation(trpc.campaigns.archive.mutationOptions());
  return (
    <Group gap="xs">
      <Button size="compact-sm" variant="default" aria-label={`Edit: ${name}`} onClick={dialog.open}>
        Edit
      </Button>
      <ConfirmedButton
        action="Archive"
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

/** Counts what archiving a campaign ends, when the dialog opens. */
function ArchiveConsequence({ id }: { id: string }) {
  const { data } = useQuery(trpc.campaigns.get.queryOptions({ id, expand: ['usage'] }));
  const usage = data?.usage;
  return (
    <>
      The campaign is no longer listed and its affiliates stop earning. Its links still redirect to your site. Existing
      commissions are kept. This cannot be undone.
      {usage && (
        <>
          {' '}
          This ends {counted(usage.affiliates, 'affiliate')}, {counted(usage.links, 'link')},{' '}
          {counted(usage.promo_codes, 'promo code')} and {counted(usage.subscriptions, 'running subscription')}.
        </>
      )}
    </>
  );
}
