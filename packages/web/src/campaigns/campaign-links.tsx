import { RecordTabs } from '../records/record-tabs.tsx';
import { t } from '../texts/campaigns.ts';

/** Links between the pages about a campaign. */
export function CampaignLinks({ id }: { id: string }) {
  const path = `/campaigns/${id}`;
  const sections = [
    { path, label: t.summary },
    { path: `${path}/rewards`, label: t.rewards },
    { path: `/affiliates?campaign_id=${id}`, label: t.affiliates },
    { path: `/commissions?campaign_id=${id}`, label: t.commissions },
  ];
  return <RecordTabs label={t.pagesOfCampaign} id={id} path={path} hasEvents={false} sections={sections} />;
}
