import { SectionLinks } from '../components/section-links.tsx';

export function CommissionSections() {
  return (
    <SectionLinks
      label="Commissions"
      sections={[
        { path: '/commissions/review', label: 'Needs review' },
        { path: '/commissions', label: 'All commissions' },
      ]}
    />
  );
}
