import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/campaigns.ts';

/** Links between the pages about a campaign. */
export function CampaignLinks({ id }: { id: string }) {
  const sections = [
    { path: `/campaigns/${id}`, label: t.summary },
    { path: `/campaigns/${id}/rewards`, label: t.rewards },
    { path: `/affiliates?campaign_id=${id}`, label: t.affiliates },
    { path: `/commissions?campaign_id=${id}`, label: t.commissions },
  ];
  return <SectionLinks label={t.pagesOfCampaign} sections={sections} />;
}
