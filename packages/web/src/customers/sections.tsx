import { SectionLinks } from '../components/section-links.tsx';
import { t } from '../texts/customers.ts';

export function CustomerSections() {
  return (
    <SectionLinks
      label={t.customers}
      sections={[
        { path: '/customers', label: t.customers },
        { path: '/customers/referrals', label: t.referrals },
        { path: '/customers/sales', label: t.sales },
      ]}
    />
  );
}
