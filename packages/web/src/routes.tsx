import { Route, Routes } from 'react-router';
import { AccountPage } from './account/account-page.tsx';
import { AffiliatePage } from './affiliates/affiliate-page.tsx';
import { AffiliatesPage } from './affiliates/affiliates-page.tsx';
import { ApiKeysPage } from './api-keys/api-keys-page.tsx';
import { CampaignsPage } from './campaigns/campaigns-page.tsx';
import { CommissionsPage } from './commissions/commissions-page.tsx';
import { ReviewPage } from './commissions/review-page.tsx';
import { ConnectorsPage } from './connectors/connectors-page.tsx';
import { ConsentPage } from './consent/consent-page.tsx';
import { InvitationPage } from './invitation/invitation-page.tsx';
import { Layout } from './layout/layout.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { MembersPage } from './members/members-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { ExportsPage } from './payouts/exports-page.tsx';
import { PayoutsPage } from './payouts/payouts-page.tsx';
import { RunPage } from './payouts/run-page.tsx';
import { RunsPage } from './payouts/runs-page.tsx';
import { PaymentProviderPage } from './payment-provider/payment-provider-page.tsx';
import { RequireAccount } from './session/require-account.tsx';
import { RequireRole } from './session/require-role.tsx';
import { ForgotPasswordPage } from './sign-in/forgot-password-page.tsx';
import { ResetPasswordPage } from './sign-in/reset-password-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { DeliveriesPage } from './webhooks/deliveries-page.tsx';
import { DeliveryPage } from './webhooks/delivery-page.tsx';
import { EndpointPage } from './webhooks/endpoint-page.tsx';
import { EndpointsPage } from './webhooks/endpoints-page.tsx';

export function Pages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/forgot-password" element={<ForgotPasswordPage />} />
      <Route path="/reset-password" element={<ResetPasswordPage />} />
      <Route path="/connect-assistant" element={<ConsentPage />} />
      <Route path="/invitation" element={<InvitationPage />} />
      <Route element={<RequireAccount />}>
        <Route element={<Layout />}>
          <Route index element={<OverviewPage />} />
          <Route path="affiliates" element={<AffiliatesPage />} />
          <Route path="affiliates/:id" element={<AffiliatePage />} />
          <Route path="campaigns" element={<CampaignsPage />} />
          <Route path="commissions" element={<CommissionsPage />} />
          <Route path="commissions/review" element={<ReviewPage />} />
          <Route path="payouts" element={<PayoutsPage />} />
          <Route path="payouts/exports" element={<ExportsPage />} />
          <Route path="payouts/runs" element={<RunsPage />} />
          <Route path="payouts/runs/:id" element={<RunPage />} />
          <Route path="settings/members" element={<MembersPage />} />
          <Route path="settings" element={<RequireRole role="admin" />}>
            <Route path="account" element={<AccountPage />} />
            <Route path="api-keys" element={<ApiKeysPage />} />
            <Route path="connectors" element={<ConnectorsPage />} />
            <Route path="payment-provider" element={<PaymentProviderPage />} />
            <Route path="webhooks" element={<EndpointsPage />} />
            <Route path="webhooks/endpoints/:id" element={<EndpointPage />} />
            <Route path="webhooks/deliveries" element={<DeliveriesPage />} />
            <Route path="webhooks/deliveries/:id" element={<DeliveryPage />} />
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
    </Routes>
  );
}
