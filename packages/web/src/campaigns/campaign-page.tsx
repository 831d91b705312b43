import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Moment } from '../components/moment.tsx';
import { MoreActions } from '../components/more-actions.tsx';
import { Page } from '../components/page.tsx';
import { Facts } from '../records/facts.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { RecordTimeline } from '../records/record-timeline.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/campaigns.ts';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { ArchiveCampaign } from './archive-campaign.tsx';
import { type Campaign, holdingPeriodOf, minimumPayoutOf, rewardOf } from './campaign.ts';
import { EditCampaign } from './edit-campaign.tsx';

/** The terms of a campaign, and what has happened in it. */
export function CampaignPage() {
  const { id = '' } = useParams();
  const campaign = useQuery(trpc.campaigns.get.queryOptions({ id }));
  return <LoadedPage query={campaign}>{(record) => <CampaignDetail campaign={record} />}</LoadedPage>;
}

function CampaignDetail({ campaign }: { campaign: Campaign }) {
  const { id, name, archived_at, days_before_referrals_expire, max_commissions, max_commission_period_months } = campaign;
  const may = useMay();
  const timeline = useQuery(trpc.campaigns.timeline.queryOptions({ id }));
  const flags = [campaign.default && t.default, campaign.private && t.private].filter(Boolean).join(', ');
  return (
    <Page
      title={name}
      description={campaign.url}
      actions={
        may('campaigns') && (
          <Group gap="sm">
            {archived_at === null && (
              <DialogButton action={t.edit} variant="filled">
                {(close) => <EditCampaign campaign={campaign} onClose={close} />}
              </DialogButton>
            )}
            <MoreActions>
              <ArchiveCampaign campaign={campaign} size="sm" />
            </MoreActions>
          </Group>
        )
      }
    >
      <RecordLinks of="campaign" id={id} />
      <Facts
        label={t.campaign}
        facts={[
          [t.commission, rewardOf(campaign)],
          [t.holdingPeriod, holdingPeriodOf(campaign)],
          [t.minimumPayout, minimumPayoutOf(campaign)],
          [t.attributionWindow, counts.days(days_before_referrals_expire)],
          [t.maximumCommissionsPerReferral, max_commissions?.toLocaleString(LOCALE)],
          [t.recurringForMonths, max_commission_period_months?.toLocaleString(LOCALE)],
          [t.otherParameters, campaign.params.join(' ')],
          [t.stripeCouponId, campaign.psp_coupon_id],
          [t.properties, flags],
          [t.archived, archived_at && <Moment at={archived_at} />],
          [t.created, <Moment key="created" at={campaign.created_at} />],
          [t.recordId, <Code key="id">{id}</Code>],
        ]}
      />
      <RecordTimeline query={timeline} />
    </Page>
  );
}
