import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { Loading } from '../components/loading.tsx';
import { pageOnDemand } from '../on-demand.tsx';
import { HomePage } from './home-page.tsx';
import { PortalLayout } from './portal-layout.tsx';
import { PortalSession } from './portal-session.tsx';

// Loaded on demand. Of all pages, only the home page is part of the code that the portal loads first.
const AssetsPage = pageOnDemand(async () => (await import('./assets-page.tsx')).AssetsPage);
const CommissionsPage = pageOnDemand(async () => (await import('./commissions-page.tsx')).CommissionsPage);
const ConversionsPage = pageOnDemand(async () => (await import('./conversions-page.tsx')).ConversionsPage);
const ConfirmPage = pageOnDemand(async () => (await import('./confirm-page.tsx')).ConfirmPage);
const EmailPage = pageOnDemand(async () => (await import('./email-page.tsx')).EmailPage);
const EmbedPage = pageOnDemand(async () => (await import('./embed-page.tsx')).EmbedPage);
const EnterPage = pageOnDemand(async () => (await import('./enter-page.tsx')).EnterPage);
const MailedLinkPage = pageOnDemand(async () => (await import('./host-pages.tsx')).MailedLinkPage);
const FiguresPage = pageOnDemand(async () => (await import('./figures-page.tsx')).FiguresPage);
const LinksPage = pageOnDemand(async () => (await import('./links-page.tsx')).LinksPage);
const PayoutDetailsPage = pageOnDemand(async () => (await import('./payout-details-page.tsx')).PayoutDetailsPage);
const PayoutsPage = pageOnDemand(async () => (await import('./payouts-page.tsx')).PayoutsPage);
const SignInLinkPage = pageOnDemand(async () => (await import('./sign-in-link-page.tsx')).SignInLinkPage);
const UnsubscribePage = pageOnDemand(async () => (await import('./unsubscribe-page.tsx')).UnsubscribePage);
const ProfilePage = pageOnDemand(async () => (await import('./profile-page.tsx')).ProfilePage);

export function PortalPages() {
  return (
    // Shown while lazily loaded parts of the session are loading.
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path="/join/confirm" element={<ConfirmPage />} />
        <Route path="/join/email" element={<EmailPage />} />
        <Route path="/embed" element={<EmbedPage />} />
        <Route path="/sign-in/link" element={<SignInLinkPage />} />
        <Route path="/unsubscribe" element={<UnsubscribePage />} />
        <Route path="/portal/enter" element={<EnterPage />} />
        <Route path="/portal/link" element={<MailedLinkPage />} />
        <Route path="/portal" element={<PortalSession />}>
          <Route element={<PortalLayout />}>
            <Route index element={<HomePage />} />
            <Route path="figures" element={<FiguresPage />} />
            <Route path="links" element={<LinksPage />} />
            <Route path="materials" element={<AssetsPage />} />
            <Route path="conversions" element={<ConversionsPage />} />
            <Route path="commissions" element={<CommissionsPage />} />
            <Route path="payouts" element={<PayoutsPage />} />
            <Route path="payout-details" element={<PayoutDetailsPage />} />
            <Route path="profile" element={<ProfilePage />} />
            <Route path="*" element={<HomePage />} />
          </Route>
        </Route>
      </Routes>
    </Suspense>
  );
}
