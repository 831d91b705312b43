import type { ReactElement } from 'react';
import { Route, createRoutesFromElements, matchRoutes, useRoutes } from 'react-router';
import { Layout } from './layout/layout.tsx';
import { type PageOnDemand, page } from './page-on-demand.tsx';
import { RequireAccount } from './session/require-account.tsx';
import { RequireRole } from './session/require-role.tsx';

const AccountPage = page('AccountPage', () => import('./account/account-page.tsx'));
const MailsPage = page('MailsPage', () => import('./mails/mails-page.tsx'));
const AuditLogPage = page('AuditLogPage', () => import('./audit-log/audit-log-page.tsx'));
const AnalyticsPage = page('AnalyticsPage', () => import('./analytics/analytics-page.tsx'));
const ApplicationsPage = page('ApplicationsPage', () => import('./applications/applications-page.tsx'));
const AffiliatePage = page('AffiliatePage', () => import('./affiliates/affiliate-page.tsx'));
const AffiliatesPage = page('AffiliatesPage', () => import('./affiliates/affiliates-page.tsx'));
const ApiKeysPage = page('ApiKeysPage', () => import('./api-keys/api-keys-page.tsx'));
const CampaignsPage = page('CampaignsPage', () => import('./campaigns/campaigns-page.tsx'));
const CommissionPage = page('CommissionPage', () => import('./commissions/commission-page.tsx'));
const CommissionsPage = page('CommissionsPage', () => import('./commissions/commissions-page.tsx'));
const PromoCodesPage = page('PromoCodesPage', () => import('./promo-codes/promo-codes-page.tsx'));
const ReviewPage = page('ReviewPage', () => import('./commissions/review-page.tsx'));
const CustomerPage = page('CustomerPage', () => import('./customers/customer-page.tsx'));
const CustomersPage = page('CustomersPage', () => import('./customers/customers-page.tsx'));
const ReferralPage = page('ReferralPage', () => import('./customers/referral-page.tsx'));
const ReferralsPage = page('ReferralsPage', () => import('./customers/referrals-page.tsx'));
const SalePage = page('SalePage', () => import('./customers/sale-page.tsx'));
const SalesPage = page('SalesPage', () => import('./customers/sales-page.tsx'));
const ConnectorsPage = page('ConnectorsPage', () => import('./connectors/connectors-page.tsx'));
const ConsentPage = page('ConsentPage', () => import('./consent/consent-page.tsx'));
const InstallPage = page('InstallPage', () => import('./install/install-page.tsx'));
const InvitationPage = page('InvitationPage', () => import('./invitation/invitation-page.tsx'));
const NotFoundPage = page('NotFoundPage', () => import('./layout/not-found-page.tsx'));
const MembersPage = page('MembersPage', () => import('./members/members-page.tsx'));
const OverviewPage = page('OverviewPage', () => import('./overview/overview-page.tsx'));
const ExportsPage = page('ExportsPage', () => import('./payouts/exports-page.tsx'));
const PayoutPage = page('PayoutPage', () => import('./payouts/payout-page.tsx'));
const PayoutsPage = page('PayoutsPage', () => import('./payouts/payouts-page.tsx'));
const RunPage = page('RunPage', () => import('./payouts/run-page.tsx'));
const RunsPage = page('RunsPage', () => import('./payouts/runs-page.tsx'));
const PaymentProviderPage = page('PaymentProviderPage', () => import('./payment-provider/payment-provider-page.tsx'));
const ProfilePage = page('ProfilePage', () => import('./profile/profile-page.tsx'));
const PortalSettingsPage = page('PortalSettingsPage', () => import('./portal-settings/portal-settings-page.tsx'));
const SetupPage = page('SetupPage', () => import('./setup/setup-page.tsx'));
const DeliveriesPage = page('DeliveriesPage', () => import('./webhooks/deliveries-page.tsx'));
const DeliveryPage = page('DeliveryPage', () => import('./webhooks/delivery-page.tsx'));
const EndpointPage = page('EndpointPage', () => import('./webhooks/endpoint-page.tsx'));
const EndpointsPage = page('EndpointsPage', () => import('./webhooks/endpoints-page.tsx'));

const ROUTES = createRoutesFromElements(
  <>
    <Route path="/setup" element={<SetupPage />} />
    <Route path="/connect-assistant" element={<ConsentPage />} />
    <Route path="/invitation" element={<InvitationPage />} />
    <Route element={<RequireAccount />}>
      <Route element={<Layout />}>
        <Route index element={<OverviewPage />} />
        <Route path="analytics" element={<AnalyticsPage />} />
        <Route path="affiliates" element={<AffiliatesPage />} />
        <Route path="affiliates/applications" element={<ApplicationsPage />} />
        <Route path="affiliates/:id" element={<AffiliatePage />} />
        <Route path="affiliates/:id/promo-codes" element={<PromoCodesPage />} />
        <Route path="campaigns" element={<CampaignsPage />} />
        <Route path="commissions" element={<CommissionsPage />} />
        <Route path="customers" element={<CustomersPage />} />
        <Route path="customers/:id" element={<CustomerPage />} />
        <Route path="customers/referrals" element={<ReferralsPage />} />
        <Route path="customers/referrals/:id" element={<ReferralPage />} />
        <Route path="customers/sales" element={<SalesPage />} />
        <Route path="customers/sales/:id" element={<SalePage />} />
        <Route path="commissions/:id" element={<CommissionPage />} />
        <Route path="commissions/review" element={<ReviewPage />} />
        <Route path="payouts" element={<PayoutsPage />} />
        <Route path="payouts/:id" element={<PayoutPage />} />
        <Route path="payouts/exports" element={<ExportsPage />} />
        <Route path="payouts/runs" element={<RunsPage />} />
        <Route path="payouts/runs/:id" element={<RunPage />} />
        <Route path="settings/members" element={<MembersPage />} />
        <Route path="settings/profile" element={<ProfilePage />} />
        <Route path="settings" element={<RequireRole role="admin" />}>
          <Route path="account" element={<AccountPage />} />
          <Route path="portal" element={<PortalSettingsPage />} />
          <Route path="mails" element={<MailsPage />} />
          <Route path="tracking" element={<InstallPage />} />
          <Route path="api-keys" element={<ApiKeysPage />} />
          <Route path="connectors" element={<ConnectorsPage />} />
          <Route path="payment-provider" element={<PaymentProviderPage />} />
          <Route path="audit-log" element={<AuditLogPage />} />
          <Route path="webhooks" element={<EndpointsPage />} />
          <Route path="webhooks/endpoints/:id" element={<EndpointPage />} />
          <Route path="webhooks/deliveries" element={<DeliveriesPage />} />
          <Route path="webhooks/deliveries/:id" element={<DeliveryPage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Route>
  </>,
);

export function Pages() {
  return useRoutes(ROUTES);
}

/** Loads the code of the page at a path, so that the page is shown without a delay. */
export async function loadPageAt(pathname: string): Promise<void> {
  const matches = matchRoutes(ROUTES, pathname) ?? [];
  const pages = matches.map(
    ({ route }) => (route.element as ReactElement | undefined)?.type as Partial<PageOnDemand> | undefined,
  );
  await Promise.all(pages.flatMap((page) => page?.load?.() ?? []));
}
