import { PROVIDER_KINDS, type Role, roleAtLeast } from '@affiliate/core/browser';
import type { IconName } from '../components/icon.tsx';
import { t } from '../texts/layout.ts';

export interface Destination {
  path: string;
  label: string;
  icon: IconName;
  /** Minimum role that may read the page. */
  role: Role;
  /** True for pages that test mode shares with live mode, and that only live mode shows. */
  liveOnly?: true;
  /** Words by which a search finds the page, beside its label. */
  words?: string;
}

interface Section {
  label: string;
  destinations: Destination[];
}

/** The pages of daily work. */
export const PROGRAM: readonly Destination[] = [
  { path: '/', label: t.overview, icon: 'overview', role: 'viewer' },
  { path: '/analytics', label: t.analytics, icon: 'analytics', role: 'viewer' },
  { path: '/affiliates', label: t.affiliates, icon: 'affiliates', role: 'viewer' },
  { path: '/campaigns', label: t.campaigns, icon: 'campaigns', role: 'viewer' },
  { path: '/customers', label: t.customers, icon: 'customers', role: 'viewer' },
  { path: '/commissions', label: t.commissions, icon: 'commissions', role: 'viewer' },
  { path: '/payouts', label: t.payouts, icon: 'payouts', role: 'viewer' },
];

/** The pages below `/settings`, which have a navigation of their own. */
export const SETTINGS: readonly Section[] = [
  {
    label: t.program,
    destinations: [
      { path: '/settings/account', label: t.account, icon: 'account', role: 'admin', liveOnly: true, words: t.accountWords },
      { path: '/settings/portal', label: t.portal, icon: 'portal', role: 'admin', words: t.portalWords },
      { path: '/settings/mails', label: t.mails, icon: 'mails', role: 'admin', words: t.mailsWords },
      { path: '/settings/imports', label: t.imports, icon: 'imports', role: 'admin', words: t.importsWords },
    ],
  },
  {
    label: t.integrations,
    destinations: [
      { path: '/settings/tracking', label: t.tracking, icon: 'tracking', role: 'admin', words: t.trackingWords },
      {
        path: '/settings/payment-provider',
        label: t.paymentProviders,
        icon: 'stripe',
        role: 'admin',
        words: `${t.paymentProviderWords} ${PROVIDER_KINDS.join(' ').replaceAll('_', ' ')}`,
      },
      {
        path: '/settings/payout-methods',
        label: t.payoutMethods,
        icon: 'payouts',
        role: 'admin',
        words: t.payoutMethodsWords,
      },
      { path: '/settings/api-keys', label: t.apiKeys, icon: 'keys', role: 'admin', words: t.apiKeysWords },
      { path: '/settings/webhooks', label: t.webhooks, icon: 'webhooks', role: 'admin', words: t.webhooksWords },
      {
        path: '/settings/connectors',
        label: t.connectors,
        icon: 'connectors',
        role: 'admin',
        liveOnly: true,
        words: t.connectorsWords,
      },
    ],
  },
  {
    label: t.people,
    destinations: [
      { path: '/settings/members', label: t.members, icon: 'members', role: 'viewer', liveOnly: true, words: t.membersWords },
      { path: '/settings/audit-log', label: t.auditLog, icon: 'log', role: 'admin', words: t.auditLogWords },
      { path: '/settings/profile', label: t.profile, icon: 'profile', role: 'viewer', words: t.profileWords },
    ],
  },
];

/** True if the page is shown to a person with this role, in the mode of the account. */
export function isOpenTo(page: Destination, role: Role, account: { livemode: boolean }): boolean {
  return roleAtLeast(role, page.role) && (account.livemode || !page.liveOnly);
}

/** True if every word of the query begins a word of the page's label or description. */
export function isFoundBy({ label, words = '' }: Pick<Destination, 'label' | 'words'>, query: string): boolean {
  const known = `${label} ${words}`.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((asked) => known.some((word) => word.startsWith(asked)));
}
