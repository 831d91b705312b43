import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/sections.ts';

/** The pages of each section, in the order of their links. */
const SECTIONS = {
  affiliates: [
    { path: '/affiliates', label: t.affiliates },
    { path: '/affiliates/applications', label: t.applications },
  ],
  commissions: [
    { path: '/commissions/review', label: t.needsReview },
    { path: '/commissions', label: t.allCommissions },
  ],
  customers: [
    { path: '/customers', label: t.customers },
    { path: '/customers/referrals', label: t.referrals },
    { path: '/customers/sales', label: t.sales },
  ],
  payouts: [
    { path: '/payouts', label: t.payouts },
    { path: '/payouts/payments', label: t.payments },
    { path: '/payouts/exports', label: t.exports },
    { path: '/payouts/runs', label: t.runs },
  ],
};

export function Sections({ of }: { of: keyof typeof SECTIONS }) {
  return <SectionLinks label={t[of]} sections={SECTIONS[of]} />;
}
