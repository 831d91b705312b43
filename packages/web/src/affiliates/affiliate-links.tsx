import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/affiliates.ts';
import { t as promoCodes } from '../texts/promo-codes.ts';

/** Links between the pages about an affiliate. */
export function AffiliateLinks({ id }: { id: string }) {
  const sections = [
    { path: `/affiliates/${id}`, label: t.summary },
    { path: `/affiliates/${id}/promo-codes`, label: promoCodes.link },
    { path: `/commissions?affiliate_id=${id}`, label: t.commissions },
    { path: `/payouts?affiliate_id=${id}`, label: t.payouts },
  ];
  return <SectionLinks label={t.pagesOfAffiliate} sections={sections} />;
}
