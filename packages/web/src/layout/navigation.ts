import type { Role } from '@affiliate/core/browser';
import { t } from '../texts/layout.ts';
import { t as mailTexts } from '../texts/mails.ts';

interface Destination {
  path: string;
  label: string;
  /** Minimum role that may read the page. */
  role: Role;
}

interface Section {
  label: string;
  destinations: Destination[];
}

export const NAVIGATION: Section[] = [
  {
    label: t.program,
    destinations: [
      { path: '/', label: t.overview, role: 'member' },
      { path: '/analytics', label: t.analytics, role: 'member' },
      { path: '/affiliates', label: t.affiliates, role: 'member' },
      { path: '/campaigns', label: t.campaigns, role: 'member' },
      { path: '/customers', label: t.customers, role: 'member' },
      { path: '/commissions', label: t.commissions, role: 'member' },
      { path: '/payouts', label: t.payouts, role: 'member' },
    ],
  },
  {
    label: t.settings,
    destinations: [
      { path: '/settings/account', label: t.account, role: 'admin' },
      { path: '/settings/portal', label: t.portal, role: 'admin' },
      { path: '/settings/mails', label: mailTexts.mails, role: 'admin' },
      { path: '/settings/tracking', label: t.tracking, role: 'admin' },
      { path: '/settings/api-keys', label: t.apiKeys, role: 'admin' },
      { path: '/settings/webhooks', label: t.webhooks, role: 'admin' },
      { path: '/settings/payment-provider', label: 'Stripe', role: 'admin' },
      { path: '/settings/connectors', label: t.connectors, role: 'admin' },
      { path: '/settings/audit-log', label: t.auditLog, role: 'admin' },
      { path: '/settings/members', label: t.members, role: 'member' },
      { path: '/settings/profile', label: t.profile, role: 'member' },
    ],
  },
];
