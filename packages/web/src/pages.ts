import type { ComponentType } from 'react';
import type { EarlyCall } from './api/early-calls.ts';
import { CAMPAIGN_CHOICES, LISTS, type ListName } from './lists/lists.ts';

/** A page: its path, its code, and its first requests if no query string is set. */
export interface PageEntry {
  path: string;
  load: () => Promise<ComponentType>;
  calls: readonly EarlyCall[];
}

/** Declares a page by its path, the component's name, the module that exports it, and its first requests. */
function entry<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
  calls: readonly EarlyCall[] = [],
): PageEntry {
  return { path, load: async () => (await load())[name], calls };
}

/** Returns the request that a list page makes when its address sets no page, order or filters. */
function listed(name: ListName): EarlyCall {
  const { sort, expand } = LISTS[name];
  return [`${name}.list`, { page: 1, sort: `-${sort}`, ...(expand && { expand }) }];
}

const CAMPAIGNS: EarlyCall = ['campaigns.list', CAMPAIGN_CHOICES];

/** Pages that anyone can open. They stand outside the layout. */
export const OPEN_PAGES: readonly PageEntry[] = [
  entry('/setup', 'SetupPage', () => import('./setup/setup-page.tsx')),
  entry('/connect-assistant', 'ConsentPage', () => import('./consent/consent-page.tsx')),
  entry('/invitation', 'InvitationPage', () => import('./invitation/invitation-page.tsx')),
];

/** Pages that every member can open. */
export const MEMBER_PAGES: readonly PageEntry[] = [
  entry('/', 'OverviewPage', () => import('./overview/overview-page.tsx'), [['overview.get', {}]]),
  entry('/analytics', 'AnalyticsPage', () => import('./analytics/analytics-page.tsx')),
  entry('/affiliates', 'AffiliatesPage', () => import('./affiliates/affiliates-page.tsx'), [listed('affiliates'), CAMPAIGNS]),
  entry('/affiliates/applications', 'ApplicationsPage', () => import('./applications/applications-page.tsx')),
  entry('/affiliates/:id', 'AffiliatePage', () => import('./affiliates/affiliate-page.tsx')),
  entry('/affiliates/:id/promo-codes', 'PromoCodesPage', () => import('./promo-codes/promo-codes-page.tsx')),
  entry('/campaigns', 'CampaignsPage', () => import('./campaigns/campaigns-page.tsx')),
  entry('/campaigns/:id', 'CampaignPage', () => import('./campaigns/campaign-page.tsx')),
  entry('/campaigns/:id/rewards', 'RewardsPage', () => import('./rewards/rewards-page.tsx')),
  entry('/commissions', 'CommissionsPage', () => import('./commissions/commissions-page.tsx'), [
    listed('commissions'),
    CAMPAIGNS,
  ]),
  entry('/customers', 'CustomersPage', () => import('./customers/customers-page.tsx'), [listed('customers')]),
  entry('/customers/:id', 'CustomerPage', () => import('./customers/customer-page.tsx')),
  entry('/customers/referrals', 'ReferralsPage', () => import('./customers/referrals-page.tsx'), [listed('referrals')]),
  entry('/customers/referrals/:id', 'ReferralPage', () => import('./customers/referral-page.tsx')),
  entry('/customers/sales', 'SalesPage', () => import('./customers/sales-page.tsx'), [listed('sales')]),
  entry('/customers/sales/:id', 'SalePage', () => import('./customers/sale-page.tsx')),
  entry('/commissions/:id', 'CommissionPage', () => import('./commissions/commission-page.tsx')),
  entry('/commissions/review', 'ReviewPage', () => import('./commissions/review-page.tsx')),
  entry('/payouts', 'PayoutsPage', () => import('./payouts/payouts-page.tsx'), [listed('payouts')]),
  entry('/payouts/:id', 'PayoutPage', () => import('./payouts/payout-page.tsx')),
  entry('/payouts/payments', 'PaymentsPage', () => import('./payouts/payments-page.tsx')),
  entry('/payouts/payments/:id', 'PaymentPage', () => import('./payouts/payment-page.tsx')),
  entry('/payouts/exports', 'ExportsPage', () => import('./payouts/exports-page.tsx')),
  entry('/payouts/runs', 'RunsPage', () => import('./payouts/runs-page.tsx')),
  entry('/payouts/runs/:id', 'RunPage', () => import('./payouts/run-page.tsx')),
  entry('/settings/members', 'MembersPage', () => import('./members/members-page.tsx')),
  entry('/settings/profile', 'ProfilePage', () => import('./profile/profile-page.tsx')),
];

/** Pages that only admins and owners can open. */
export const ADMIN_PAGES: readonly PageEntry[] = [
  entry('/affiliates/:id/events', 'AffiliateEventsPage', () => import('./records/record-events.tsx')),
  entry('/commissions/:id/events', 'CommissionEventsPage', () => import('./records/record-events.tsx')),
  entry('/customers/sales/:id/events', 'SaleEventsPage', () => import('./records/record-events.tsx')),
  entry('/payouts/:id/events', 'PayoutEventsPage', () => import('./records/record-events.tsx')),
  entry('/settings/account', 'AccountPage', () => import('./account/account-page.tsx')),
  entry('/settings/portal', 'PortalSettingsPage', () => import('./portal-settings/portal-settings-page.tsx')),
  entry('/settings/mails', 'MailsPage', () => import('./mails/mails-page.tsx')),
  entry('/settings/outbox', 'OutboxPage', () => import('./outbox/outbox-page.tsx')),
  entry('/settings/tracking', 'InstallPage', () => import('./install/install-page.tsx')),
  entry('/settings/api-keys', 'ApiKeysPage', () => import('./api-keys/api-keys-page.tsx')),
  entry('/settings/imports', 'ImportsPage', () => import('./imports/imports-page.tsx')),
  entry('/settings/imports/comparison', 'ComparisonPage', () => import('./imports/comparison-page.tsx')),
  entry('/settings/imports/:id', 'ImportPage', () => import('./imports/import-page.tsx')),
  entry('/settings/api-keys/requests', 'ApiLogPage', () => import('./api-log/api-log-page.tsx')),
  entry('/settings/connectors', 'ConnectorsPage', () => import('./connectors/connectors-page.tsx')),
  entry('/settings/payment-provider', 'PaymentProviderPage', () => import('./payment-provider/payment-provider-page.tsx')),
  entry('/settings/payout-methods', 'PayoutRailsPage', () => import('./payout-rails/payout-rails-page.tsx')),
  entry('/settings/audit-log', 'AuditLogPage', () => import('./audit-log/audit-log-page.tsx')),
  entry('/settings/webhooks', 'EndpointsPage', () => import('./webhooks/endpoints-page.tsx')),
  entry('/settings/webhooks/endpoints/:id', 'EndpointPage', () => import('./webhooks/endpoint-page.tsx')),
  entry('/settings/webhooks/deliveries', 'DeliveriesPage', () => import('./webhooks/deliveries-page.tsx')),
  entry('/settings/webhooks/deliveries/:id', 'DeliveryPage', () => import('./webhooks/delivery-page.tsx')),
];
