import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/payouts.ts';

export function PayoutSections() {
  return (
    <SectionLinks
      label={t.payouts}
      sections={[
        { path: '/payouts', label: t.payouts },
        { path: '/payouts/payments', label: t.payments },
        { path: '/payouts/exports', label: t.exports },
        { path: '/payouts/runs', label: t.runs },
      ]}
    />
  );
}
