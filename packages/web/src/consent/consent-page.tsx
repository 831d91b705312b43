import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { Loaded } from '../components/loaded.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useSession } from '../session/session.tsx';
import { SignInFirst } from '../session/sign-in-first.tsx';
import { Card } from '../components/card.tsx';
import { ConsentForm } from './consent-form.tsx';
import { SignedInAs } from './signed-in-as.tsx';

/** The page to which an assistant sends a user for consent. The query is its request, signed by the service. */
export function ConsentPage() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const query = new URLSearchParams(search);

  if (query.has('error') || !query.has('sig')) return <InvalidRequest />;
  if (!session) return <SignInFirst from={pathname + search} />;
  const accounts = session.accounts.filter(({ role }) => roleAtLeast(role, 'admin'));
  return (
    <Card title="Connect an assistant">
      <Stack>
        {accounts.length === 0 ? (
          <Text>
            Connecting an assistant requires the admin role, which you do not have in any account. Ask an owner to change your
            role.
          </Text>
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

/** Shows nothing from the URL, which anyone could have written. */
function InvalidRequest() {
  return (
    <Card title="Invalid request">
      <Text>The assistant sent an invalid request. Nothing was connected.</Text>
      <Text mt="md">
        Try again in the assistant. If the problem persists, remove this service in the assistant and add it again, so that it
        registers again.
      </Text>
    </Card>
  );
}
