import { Stack, Text, Button, Group } from '@mantine/core';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useSession } from '../session/session.tsx';
import { SignInFirst } from '../session/sign-in-first.tsx';
import { t } from '../texts/consent.ts';
import { ConsentForm } from './consent-form.tsx';

/** The page to which an assistant sends a user for consent. The query string is the assistant's request, signed by the service. */
export function ConsentPage() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const query = new URLSearchParams(search);

  if (query.has('error') || !query.has('sig')) return <InvalidRequest />;
  if (!session) return <SignInFirst from={pathname + search} />;
  const accounts = session.accounts.filter(({ livemode }) => livemode);
  return (
    <Card title={t.connectAnAssistant}>
      <Stack>
        {accounts.length === 0 ? (
          <Text>{t.onlyMembersConnect}</Text>
        ) : (
          <Request accounts={accounts} shown={session.account?.id} oauthQuery={search.slice(1)} />
        )}
        <SignedInAs email={session.user.email} />
      </Stack>
    </Card>
  );
}

interface RequestProps {
  accounts: ComponentProps<typeof ConsentForm>['accounts'];
  shown: string | undefined;
  oauthQuery: string;
}

function Request({ accounts, shown, oauthQuery }: RequestProps) {
  const [chosen, chooseAccount] = useState(shown);
  const request = useQuery({
    queryKey: ['consent-request', oauthQuery],
    queryFn: () => auth.consentRequest(oauthQuery),
    staleTime: Infinity,
  });
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0]!;
  return (
    <Loaded query={request}>
      {(assistant) => (
        // The key makes the form start anew for another account, because the access depends on the account.
        <ConsentForm
          key={account.id}
          assistant={assistant}
          accounts={accounts}
          account={account}
          chooseAccount={chooseAccount}
          oauthQuery={oauthQuery}
        />
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

/** Shows who is signed in, with a button to sign in as somebody else. The request in the URL is kept. */
export function SignedInAs({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: auth.signOut,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() }),
  });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {t.signedInAs({ email })}
      </Text>
      <Button variant="subtle" size="compact-sm" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t.switchUser}
      </Button>
    </Group>
  );
}
