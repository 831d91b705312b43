import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { ArchiveFilter, useArchived } from '../components/archive-filter.tsx';
import { RecordLink } from '../components/cells.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { useMay } from '../session/session.tsx';
import { t as archiveTexts } from '../texts/archive.ts';
import { t } from '../texts/campaigns.ts';
import { ArchiveCampaign } from './archive-campaign.tsx';
import { type Campaign, holdingPeriodOf, minimumPayoutOf, rewardOf } from './campaign.ts';
import { CreateCampaign, EditCampaign } from './edit-campaign.tsx';

const COLUMNS: Column<Campaign>[] = [
  {
    header: t.campaign,
    cell: ({ id, name, url, default: isDefault, private: isPrivate }) => (
      <>
        <RecordLink strong to={`/campaigns/${id}`}>
          {name}
        </RecordLink>
        <Text size="sm" c="dimmed">
          {[url, isDefault && t.default, isPrivate && t.private].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  { header: t.commission, cell: rewardOf },
  { header: t.holdingPeriod, numeric: true, cell: holdingPeriodOf },
  { header: t.minimumPayout, numeric: true, cell: minimumPayoutOf },
];

const ACTIONS: Column<Campaign> = { header: t.actions, cell: (campaign) => <Actions campaign={campaign} /> };

/** Lists the active campaigns or, if the filter is set, the archived ones. */
export function CampaignsPage() {
  const may = useMay();
  const page = usePageNumber();
  const archived = useArchived();
  const campaigns = useQuery(
    trpc.campaigns.list.queryOptions({ page, ...(archived ? { archived } : {}) }, { placeholderData: keepPreviousData }),
  );
  const act = useAct({ add: 'campaigns' });
  const mayChange = may('campaigns');
  const add = mayChange && <Button onClick={() => act.ask('add')}>{t.addCampaign}</Button>;
  return (
    <Page title={t.campaigns} description={t.description} actions={add}>
      <Group>
        <ArchiveFilter />
      </Group>
      <PagedTable
        query={campaigns}
        caption={t.campaigns}
        columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
        empty={
          archived ? (
            <Text>{archiveTexts.noneArchived}</Text>
          ) : (
            <EmptyState picture="campaigns" title={t.noCampaignsYet} action={add}>
              {t.noCampaignsHint}
            </EmptyState>
          )
        }
      />
      {/* The list says if it is the first campaign, so the dialog waits for it. */}
      {act.current === 'add' && !campaigns.isPending && (
        <CreateCampaign isFirst={!archived && campaigns.data?.data.length === 0} onClose={act.end} />
      )}
    </Page>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { id, name } = campaign;
  if (campaign.archived_at !== null) return <ArchiveCampaign campaign={campaign} size="compact-sm" />;
  return (
    <Group gap="xs">
      <DialogButton size="compact-sm" action={t.edit} label={t.editOf({ name })}>
        {(close) => <EditCampaign campaign={campaign} onClose={close} />}
      </DialogButton>
      <Button
        size="compact-sm"
        variant="default"
        component={Link}
        to={`/campaigns/${id}/rewards`}
        aria-label={t.rewardsOf({ name })}
      >
        {t.rewards}
      </Button>
      <ArchiveCampaign campaign={campaign} size="compact-sm" />
    </Group>
  );
}
