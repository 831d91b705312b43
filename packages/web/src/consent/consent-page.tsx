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
import { t } from '../texts/consent.ts';

/** The page to which an assistant sends a user for consent. The query string is the assistant's request, signed by the service. */
export function ConsentPage() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const query = new URLSearchParams(search);

  if (query.has('error') || !query.has('sig')) return <InvalidRequest />;
  if (!session) return <SignInFirst from={pathname + search} />;
  const accounts = session.accounts.filter(({ role }) => roleAtLeast(role, 'admin'));
  return (
    <Card title={t.connectAnAssistant}>
      <Stack>
        {accounts.length === 0 ? (
          <Text>{t.connectingAnAssistantRequiresThe}</Text>
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

/** Shown for a request that is not valid. Shows no values from the URL, because anyone could have written them. */
function InvalidRequest() {
  return (
    <Card title={t.invalidRequest}>
      <Text>{t.invalidAssistantRequest}</Text>
      <Text mt="md">{t.tryAgainInTheAssistant}</Text>
    </Card>
  );
}
