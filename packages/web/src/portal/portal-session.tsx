import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, useContext, useEffect } from 'react';
import { Outlet, useLocation, useMatch } from 'react-router';
import { trpc } from '../api/client.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { isEmbedded, portalToken, tellHost } from '../api/portal-token.ts';
import { isSignedOut, serviceErrorOf } from '../api/service-error.ts';
import { showTimeZone } from '../api/shown-zone.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { SiteName } from '../components/site-name.ts';
import { LeavePage } from '../session/leave-page.tsx';
import { usePersonLanguage } from '../session/person-language.ts';
import { rememberPortalPage } from '../session/return-to.ts';
import { leave } from './leave.ts';
import { PortalFailure } from './portal-failure.tsx';
import { type Start, startQuery } from './start.ts';

type Affiliation = Start['session']['affiliations'][number];

interface PortalPerson {
  /** The account that is shown. */
  affiliation: Affiliation;
  /** All accounts of which the person is an affiliate. */
  affiliations: Affiliation[];
  /** True if the person is also a member of an account. */
  isMember: boolean;
  /** True if the portal was opened by a link instead of a sign-in. */
  isOpened: boolean;
  /** True if a member of the account views the affiliate's portal. A member cannot change anything there. */
  isView: boolean;
  /** True if the affiliate has opened the portal, and can therefore change payout details, name and address. */
  mayChange: boolean;
}

// Loaded on demand, because only people without an open portal see it.
const HostSignIn = lazy(async () => ({ default: (await import('./host-pages.tsx')).HostSignIn }));
// Loaded on demand, because only applicants see it.
const HostStatus = lazy(async () => ({ default: (await import('./host-pages.tsx')).HostStatus }));
// Loaded on demand, because only applicants and people without a program see it.
const AffiliationStatus = lazy(async () => ({ default: (await import('./affiliation-status.tsx')).AffiliationStatus }));

const PersonContext = createContext<PortalPerson | null>(null);

/** Shows the portal's pages to a signed-in affiliate, or to somebody who has opened the portal with a link. */
export function PortalSession() {
  if (portalToken() !== null) return <OpenedSession />;
  return isPortalHost() ? <HostSignIn /> : <SignedInSession />;
}

function OpenedSession() {
  const self = useQuery(trpc.portal.self.queryOptions(undefined, { staleTime: Infinity, meta: { isSessionQuery: true } }));
  const { pathname } = useLocation();
  const isShown = self.isSuccess;
  useEffect(() => {
    if (isShown) tellHost({ type: 'ready' });
  }, [isShown]);
  useEffect(() => tellHost({ type: 'navigated', path: pathname }), [pathname]);
  // On the home page, requests its data in the same batch as `portal.self`, because the page needs the data next.
  const isHome = useMatch('/portal') !== null;
  useQuery(trpc.portal.home.queryOptions(undefined, { enabled: isHome && self.isPending, notifyOnChangeProps: [] }));
  if (self.isPending) return <Loading />;
  if (self.isError && isPortalHost()) {
    if (isSignedOut(self.error)) return <HostSignIn />;
    const { code, message } = serviceErrorOf(self.error);
    if (code === 'FORBIDDEN') return <HostStatus message={message} />;
  }
  if (self.isError) {
    const isRefused = serviceErrorOf(self.error).code !== null;
    return <PortalFailure error={self.error} retry={isRefused && !isEmbedded() ? leave : () => void self.refetch()} />;
  }
  const { account_id, account_name, campaign_name, time_zone, state, brand, is_view, may_change } = self.data;
  showTimeZone(time_zone);
  const affiliation = { account_id, account_name, campaign_name, time_zone, state, brand, application_note: null };
  return (
    <PersonContext
      value={{
        affiliation,
        affiliations: [affiliation],
        isMember: false,
        isOpened: true,
        isView: is_view,
        mayChange: may_change,
      }}
    >
      <SiteName value={affiliation.account_name}>
        <Outlet />
      </SiteName>
    </PersonContext>
  );
}

/** Shows the portal's pages to a signed-in affiliate. Shows an applicant the state of their application instead. */
function SignedInSession() {
  const start = useQuery(startQuery);
  const isLeaving = usePersonLanguage(start.data?.session.user.language ?? null);
  if (start.isPending || isLeaving) return <Loading />;
  if (start.isError) {
    if (isSignedOut(start.error)) {
      rememberPortalPage();
      return <LeavePage to="/sign-in?to=portal" />;
    }
    return <Failure error={start.error} retry={() => void start.refetch()} />;
  }
  const { user, accounts, affiliations } = start.data.session;
  const affiliation = affiliations.find(({ account_id }) => account_id === start.data.account_id) ?? null;
  if (!affiliation || affiliation.state === 'pending' || affiliation.state === 'rejected')
    return <AffiliationStatus email={user.email} affiliation={affiliation} />;
  return (
    <PersonContext
      value={{ affiliation, affiliations, isMember: accounts.length > 0, isOpened: false, isView: false, mayChange: true }}
    >
      <SiteName value={affiliation.account_name}>
        <Outlet />
      </SiteName>
    </PersonContext>
  );
}

/** Returns the affiliate whose portal is shown. Works only below `PortalSession`. */
export function usePortalPerson(): PortalPerson {
  const person = useContext(PersonContext);
  if (!person) throw new Error('usePortalPerson requires PortalSession.');
  return person;
}
