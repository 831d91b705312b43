import { RecordTabs } from '../records/record-tabs.tsx';
import { t } from '../texts/affiliates.ts';
import { t as promoCodes } from '../texts/promo-codes.ts';

/** Links between the pages about an affiliate. */
export function AffiliateLinks({ id }: { id: string }) {
  const path = `/affiliates/${id}`;
  const sections = [
    { path, label: t.summary },
    { path: `${path}/promo-codes`, label: promoCodes.link },
    { path: `/commissions?affiliate_id=${id}`, label: t.commissions },
    { path: `/payouts?affiliate_id=${id}`, label: t.payouts },
  ];
  return <RecordTabs label={t.pagesOfAffiliate} id={id} path={path} sections={sections} />;
}
