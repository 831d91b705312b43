import type { Role } from '@affiliate/core/browser';

interface Destination {
  path: string;
  label: string;
  /** Minimum role that can read the page. */
  role: Role;
}

interface Section {
  label: string;
  destinations: Destination[];
}

export const NAVIGATION: Section[] = [
  {
    label: 'Program',
    destinations: [
      { path: '/', label: 'Overview', role: 'member' },
      { path: '/affiliates', label: 'Affiliates', role: 'member' },
      { path: '/campaigns', label: 'Campaigns', role: 'member' },
      { path: '/commissions', label: 'Commissions', role: 'member' },
      { path: '/payouts', label: 'Payouts', role: 'member' },
    ],
  },
  {
    label: 'Settings',
    destinations: [
      { path: '/settings/account', label: 'Account', role: 'admin' },
      { path: '/settings/portal', label: 'Affiliate portal', role: 'admin' },
      { path: '/settings/api-keys', label: 'API keys', role: 'admin' },
      { path: '/settings/webhooks', label: 'Webhooks', role: 'admin' },
      { path: '/settings/payment-provider', label: 'Stripe', role: 'admin' },
      { path: '/settings/connectors', label: 'Connectors', role: 'admin' },
      { path: '/settings/members', label: 'Members', role: 'member' },
    ],
  },
];
