import { useIsLook } from '../components/looked-at.tsx';
import { SectionLinks } from '../components/section-links.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/events.ts';

interface Pages {
  /** Accessible name of the navigation. */
  label: string;
  /** Path below which the record has its page. */
  path: string;
  hasEvents: boolean;
  /** The further pages that every member sees. */
  further: (id: string) => { path: string; label: string }[];
}

const none = () => [];

const PAGES = {
  affiliate: {
    label: t.pagesOfAffiliate,
    path: '/affiliates',
    hasEvents: true,
    further: (id) => [
      { path: `/affiliates/${id}/promo-codes`, label: t.promoCodes },
      { path: `/commissions?affiliate_id=${id}`, label: t.commissions },
      { path: `/payouts?affiliate_id=${id}`, label: t.payouts },
    ],
  },
  campaign: {
    label: t.pagesOfCampaign,
    path: '/campaigns',
    hasEvents: false,
    further: (id) => [
      { path: `/campaigns/${id}/rewards`, label: t.rewards },
      { path: `/affiliates?campaign_id=${id}`, label: t.affiliates },
      { path: `/commissions?campaign_id=${id}`, label: t.commissions },
    ],
  },
  commission: { label: t.pagesOfCommission, path: '/commissions', hasEvents: true, further: none },
  payout: { label: t.pagesOfPayout, path: '/payouts', hasEvents: true, further: none },
  sale: { label: t.pagesOfSale, path: '/customers/sales', hasEvents: true, further: none },
} satisfies Record<string, Pages>;

export type LinkedRecord = keyof typeof PAGES;

/** Links between the pages about a record. Only admins may read events and the audit log. A record with one page has no links. */
export function RecordLinks({ of, id }: { of: LinkedRecord; id: string }) {
  const may = useMay();
  const isLook = useIsLook();
  const pages: Pages = PAGES[of];
  const path = `${pages.path}/${id}`;
  const all = [{ path, label: t.summary }, ...pages.further(id)];
  if (may('connectors', 'read')) {
    if (pages.hasEvents) all.push({ path: `${path}/events`, label: t.events });
    all.push({ path: `/settings/audit-log?record=${id}`, label: t.history });
  }
  return !isLook && all.length > 1 && <SectionLinks label={pages.label} sections={all} />;
}
