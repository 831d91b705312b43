import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/commissions.ts';

export function CommissionSections() {
  return (
    <SectionLinks
      label={t.commissions}
      sections={[
        { path: '/commissions/review', label: t.needsReview },
        { path: '/commissions', label: t.allCommissions },
      ]}
    />
  );
}
