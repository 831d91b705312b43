import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/affiliates.ts';

export function AffiliateSections() {
  return (
    <SectionLinks
      label={t.affiliates}
      sections={[
        { path: '/affiliates', label: t.affiliates },
        { path: '/affiliates/applications', label: t.applications },
      ]}
    />
  );
}
