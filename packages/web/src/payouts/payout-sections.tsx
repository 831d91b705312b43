import { SectionLinks } from '../components/section-links.tsx';

export function PayoutSections() {
  return (
    <SectionLinks
      label="Payouts"
      sections={[
        { path: '/payouts', label: 'Payouts' },
        { path: '/payouts/exports', label: 'Exports' },
        { path: '/payouts/runs', label: 'Runs' },
      ]}
    />
  );
}
