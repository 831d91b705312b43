import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { Loaded } from '../components/loaded.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useSession } from '../session/session.tsx';
import { Card } from '../sign-in/card.tsx';
import { ConsentForm } from './consent-form.tsx';
import { SignedInAs } from './signed-in-as.tsx';

/** Where an assistant sends people who are to let it act for an account. The query is its request, signed by the service. */
export function ConsentPage() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const query = new URLSearchParams(search);

  if (query.has('error') || !query.has('sig')) return <InvalidRequest />;
  if (!session) return <Navigate to="/sign-in" replace state={{ from: pathname + search }} />;
  const accounts = session.accounts.filter(({ role }) => roleAtLeast(role, 'admin'));
  return (
    <Card title="Connect an assistant">
      <Stack>
        {accounts.length === 0 ? (
          <Text>Connecting an assistant takes the role admin, which you have in no account. An owner can give it to you.</Text>
        ) : (
          <Request accounts={accounts} shown={session.account?.id} oauthQuery={search.slice(1)} />
        )}
        <SignedInAs email={session.user.email} />
      </Stack>
    </Card>
  );
}

interface RequestProps {
  accounts: { id: string; name: string }[];
  shown: string | undefined;
  oauthQuery: string;
}

function Request({ accounts, shown, oauthQuery }: RequestProps) {
  const request = useQuery({
    queryKey: ['consent-request', oauthQuery],
    queryFn: () => auth.consentRequest(oauthQuery),
    staleTime: Infinity,
  });
  const initial = accounts.find(({ id }) => id === shown) ?? accounts[0]!;
  return (
    <Loaded query={request}>
      {(assistant) => (
        <ConsentForm assistant={assistant} accounts={accounts} initialAccountId={initial.id} oauthQuery={oauthQuery} />
      )}
    </Loaded>
  );
}

/** Says nothing of what stands in the address: anybody can have put it there. */
function InvalidRequest() {
  return (
    <Card title="This does not work">
      <Text>The assistant has sent you here with a request that is not valid. Nothing has been connected.</Text>
      <Text mt="md">
        Start again in the assistant. If that does not help, remove this service there and add it anew, so that it introduces
        itself again.
      </Text>
    </Card>
  );
}
