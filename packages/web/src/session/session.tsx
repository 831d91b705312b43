import { type Action, type Resource, type Role, roleMay } from '@affiliate/core/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, createContext, useContext, useEffect } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { sessionEvents, retry } from '../api/query-client.ts';
import { isSignedOut } from '../api/service-error.ts';
import { showAccount, shownAccountId } from '../api/shown-account.ts';
import { showTimeZone } from '../api/shown-zone.ts';
import { hasUnsavedEntries } from '../components/entries.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { rarePart } from '../on-demand.tsx';
import { usePersonLanguage } from './person-language.ts';

/** The query for this browser's session. Runs once, and again when the service reports that the session has ended. */
const sessionQuery = trpc.session.get.queryOptions(undefined, {
  staleTime: Infinity,
  meta: { isSessionQuery: true },
  retry,
});

type SessionRecord = Outputs['session']['get'];
type Account = SessionRecord['accounts'][number];

interface Session {
  user: SessionRecord['user'];
  accounts: SessionRecord['accounts'];
  affiliations: SessionRecord['affiliations'];
  /** The account shown, or null if the user is not a member of an account. */
  account: Account | null;
}

const SessionContext = createContext<Session | null>(null);

const SessionEnded = rarePart(async () => (await import('./session-ended.tsx')).SessionEnded);

/** Loads the session before anything else is shown. Reloads it when it has ended or the role has changed. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery);

  useEffect(() => {
    const queryKey = trpc.session.get.queryKey();
    // Does not reload without a session, because then UNAUTHORIZED is expected.
    const askAgain = () => void (queryClient.getQueryData(queryKey) && queryClient.invalidateQueries({ queryKey }));
    sessionEvents.addEventListener('stale', askAgain);
    return () => sessionEvents.removeEventListener('stale', askAgain);
  }, [queryClient]);

  const isLeaving = usePersonLanguage(session.data?.user.language ?? null);

  if (session.isPending || isLeaving) return <Loading />;
  if (session.isError && !isSignedOut(session.error)) {
    return <Failure error={session.error} retry={() => void session.refetch()} />;
  }
  // The data are those of the session that has ended.
  const isKept = session.isError && session.data !== undefined && hasUnsavedEntries();
  return (
    <SessionContext value={session.isError && !isKept ? null : withAccount(session.data)}>
      {children}
      {isKept && <SessionEnded userId={session.data.user.id} />}
    </SessionContext>
  );
}

/** Adds to the session the account that the pages show. From now on, every call names this account. */
function withAccount({ user, accounts, affiliations, active_account_id }: SessionRecord): Session {
  const find = (accountId: string | null) => accounts.find(({ id }) => id === accountId);
  const account = find(shownAccountId()) ?? find(active_account_id) ?? accounts[0] ?? null;
  showAccount(account?.id ?? null);
  showTimeZone(account?.time_zone);
  return { user, accounts, affiliations, account };
}

/** Returns the session, or null if no user is signed in. */
export function useSession(): Session | null {
  return useContext(SessionContext);
}

/** Returns whether the member may do an action, by the table that the service enforces (`roleMay`). Pages show no button that the service would refuse. */
export function useMay(): (resource: Resource, action?: Action) => boolean {
  const { role } = useMember();
  return (resource, action = 'write') => roleMay(role, resource, action);
}

/** Shows buttons only to members who may write the records. */
export function Writers({ of, children }: { of: Resource; children: ReactNode }) {
  return useMay()(of) ? children : null;
}

/** Returns the signed-in user, the account shown, and the user's role in it. Works only below `RequireAccount`. */
export function useMember(): { user: Session['user']; account: Account; role: Role } {
  const session = useContext(SessionContext);
  if (!session?.account) throw new Error('useMember requires RequireAccount.');
  return { user: session.user, account: session.account, role: session.account.role };
}
