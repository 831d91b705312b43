import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, useContext } from 'react';
import { Outlet } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { isEmbedded, portalToken } from '../api/portal-token.ts';
import { isSignedOut, serviceErrorOf } from '../api/service-error.ts';
import { showAccount } from '../api/shown-account.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { LeavePage } from '../session/leave-page.tsx';
import { sessionQuery } from '../session/session-query.ts';
import { leave } from './leave.ts';

type SessionRecord = Outputs['session']['get'];
type Affiliation = SessionRecord['affiliations'][number];

interface PortalPerson {
  /** The account shown. */
  affiliation: Affiliation;
  /** All accounts that the person is an affiliate of. */
  affiliations: Affiliation[];
  /** The person is also a member of an account. */
  isMember: boolean;
  /** A link of the merchant has opened the portal; nobody is signed in. */
  isOpened: boolean;
  /** A member of the account looks at the portal of the affiliate, and cannot change anything. */
  isView: boolean;
}

// Only people without an open portal see it.
const HostSignIn = lazy(async () => ({ default: (await import('./host-pages.tsx')).HostSignIn }));
// Only applicants see it.
const HostStanding = lazy(async () => ({ default: (await import('./host-pages.tsx')).HostStanding }));
// Only applicants, and people without a program, see it.
const Standing = lazy(async () => ({ default: (await import('./standing.tsx')).Standing }));

const PersonContext = createContext<PortalPerson | null>(null);
const CHOSEN = 'portal-account';

/** Requires a signed-in affiliate, or a portal that a link has opened. */
export function PortalSession() {
  if (portalToken() !== null) return <OpenedSession />;
  return isPortalHost() ? <HostSignIn /> : <SignedInSession />;
}

function OpenedSession() {
  const self = useQuery(trpc.portal.self.queryOptions(undefined, { staleTime: Infinity, meta: { isSessionQuery: true } }));
  if (self.isPending) return <Loading />;
  if (self.isError && isPortalHost()) {
    if (isSignedOut(self.error)) return <HostSignIn />;
    const { code, message } = serviceErrorOf(self.error);
    if (code === 'FORBIDDEN') return <HostStanding message={message} />;
  }
  if (self.isError) return isEmbedded() ? <Failure error={self.error} /> : <Failure error={self.error} retry={leave} />;
  const { account_id, account_name, campaign_name, state, brand, is_view } = self.data;
  const affiliation = { account_id, account_name, campaign_name, state, brand, application_note: null };
  return (
    <PersonContext value={{ affiliation, affiliations: [affiliation], isMember: false, isOpened: true, isView: is_view }}>
      <Outlet />
    </PersonContext>
  );
}

/** Shows applicants where they stand. */
function SignedInSession() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return <Loading />;
  if (session.isError) {
    if (isSignedOut(session.error)) return <LeavePage to="/sign-in?to=portal" />;
    return <Failure error={session.error} retry={() => void session.refetch()} />;
  }
  const { user, accounts, affiliations } = session.data;
  const affiliation = chosen(affiliations);
  if (!affiliation || affiliation.state === 'pending' || affiliation.state === 'rejected')
    return <Standing email={user.email} affiliation={affiliation} />;
  showAccount(affiliation.account_id);
  return (
    <PersonContext value={{ affiliation, affiliations, isMember: accounts.length > 0, isOpened: false, isView: false }}>
      <Outlet />
    </PersonContext>
  );
}

/** The account that this tab has chosen, or else the first one where the person works. */
export function chosen(affiliations: Affiliation[]): Affiliation | null {
  const id = sessionStorage.getItem(CHOSEN);
  return (
    affiliations.find(({ account_id }) => account_id === id) ??
    affiliations.find(({ state }) => state === 'active') ??
    affiliations[0] ??
    null
  );
}

/** Shows another account. Reloads the page, so that no data of the previous one remains. */
export function chooseAccount(accountId: string): void {
  sessionStorage.setItem(CHOSEN, accountId);
  window.location.assign('/portal');
}

/** The signed-in affiliate. Only below `PortalSession`. */
export function usePortalPerson(): PortalPerson {
  const person = useContext(PersonContext);
  if (!person) throw new Error('usePortalPerson requires PortalSession.');
  return person;
}
