import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Page } from '../components/page.tsx';
import { Paging, usePageNumber } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import type { Campaign } from './campaign.ts';
import { CreateCampaign, EditCampaign } from './edit-campaign.tsx';

const COLUMNS: Column<Campaign>[] = [
  {
    header: 'Campaign',
    cell: ({ name, url, default: isDefault, private: isPrivate }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {[url, isDefault && 'default', isPrivate && 'private'].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  { header: 'A sale earns', cell: rewardOf },
  {
    header: 'Due after',
    numeric: true,
    cell: ({ days_until_commissions_are_due: days }) => (days === 0 ? 'at once' : days === 1 ? '1 day' : `${days} days`),
  },
  {
    header: 'Minimum payout',
    numeric: true,
    cell: ({ minimum_payout_cents: cents, minimum_payout_currency: currency }) =>
      cents === 0 ? 'none' : formatMoney(cents, currency),
  },
];

function rewardOf({ reward_type, commission_percent, commission_amount_cents, commission_amount_currency }: Campaign): string {
  if (reward_type === 'percent') return `${commission_percent?.toLocaleString()} %`;
  return formatMoney(commission_amount_cents ?? 0, commission_amount_currency ?? 'USD');
}

const ACTIONS: Column<Campaign> = { header: 'Actions', cell: (campaign) => <Actions campaign={campaign} /> };

/** What affiliates promote, and what they earn by it. */
export function CampaignsPage() {
  const { role } = useMember();
  const page = usePageNumber();
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ page }, { placeholderData: keepPreviousData }));
  const [creating, dialog] = useDisclosure();
  const mayChange = roleAtLeast(role, 'admin');
  const add = mayChange && <Button onClick={dialog.open}>Add campaign</Button>;
  return (
    <Page title="Campaigns" description="What affiliates promote, and what they earn by it." actions={add}>
      <Loaded query={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No campaign yet" action={add}>
              A campaign says where visitors are led and what a sale earns. Affiliates join one, so it comes first.
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
      <Button size="compact-sm" variant="default" aria-label={`Change: ${name}`} onClick={dialog.open}>
        Change…
      </Button>
      <ConfirmedButton
        action="Archive"
        subject={name}
        dangerous
        consequence="It leaves the lists. Its links still lead to your site, but nothing is earned any more. This cannot be undone; what was earned stays."
        mutation={archive}
        run={() => archive.mutateAsync({ id })}
      />
      {editing && <EditCampaign campaign={campaign} onClose={dialog.close} />}
    </Group>
  );
}
