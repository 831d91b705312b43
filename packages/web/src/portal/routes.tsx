import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { Loading } from '../components/loading.tsx';
import { page } from '../page-on-demand.tsx';
import { HomePage } from './home-page.tsx';
import { PortalLayout } from './portal-layout.tsx';
import { PortalSession } from './portal-session.tsx';

// Loaded on demand. Of all pages, only the home page is part of the code that the portal loads first.
const AssetsPage = page('AssetsPage', () => import('./assets-page.tsx'));
const CommissionsPage = page('CommissionsPage', () => import('./commissions-page.tsx'));
const ConversionsPage = page('ConversionsPage', () => import('./conversions-page.tsx'));
const ConfirmPage = page('ConfirmPage', () => import('./confirm-page.tsx'));
const EmailPage = page('EmailPage', () => import('./email-page.tsx'));
const JoinPage = page('JoinPage', () => import('./join-page.tsx'));
const EmbedPage = page('EmbedPage', () => import('./embed-page.tsx'));
const EnterPage = page('EnterPage', () => import('./enter-page.tsx'));
const MailedLinkPage = page('MailedLinkPage', () => import('./host-pages.tsx'));
const LinksPage = page('LinksPage', () => import('./links-page.tsx'));
const PayoutDetailsPage = page('PayoutDetailsPage', () => import('./payout-details-page.tsx'));
const PayoutsPage = page('PayoutsPage', () => import('./payouts-page.tsx'));
const SignInLinkPage = page('SignInLinkPage', () => import('./sign-in-link-page.tsx'));
const UnsubscribePage = page('UnsubscribePage', () => import('./unsubscribe-page.tsx'));
const ProfilePage = page('ProfilePage', () => import('./profile-page.tsx'));

export function PortalPages() {
  return (
    // Shown while lazily loaded parts of the session are loading.
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path="/join/confirm" element={<ConfirmPage />} />
        <Route path="/join/email" element={<EmailPage />} />
        <Route path="/join/:account/:campaign" element={<JoinPage />} />
        <Route path="/embed" element={<EmbedPage />} />
        <Route path="/sign-in/link" element={<SignInLinkPage />} />
        <Route path="/unsubscribe" element={<UnsubscribePage />} />
        <Route path="/portal/enter" element={<EnterPage />} />
        <Route path="/portal/link" element={<MailedLinkPage />} />
        <Route path="/portal" element={<PortalSession />}>
          <Route element={<PortalLayout />}>
            <Route index element={<HomePage />} />
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
