import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { auth } from '../api/auth.ts';
import { client, trpc } from '../api/client.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { confirmPortal, dropPortalToken, isEmbedded } from '../api/portal-token.ts';
import { queryClient } from '../api/query-client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';
import { leave } from './leave.ts';

/**
 * Explains that payout details, name and address can be changed only after a sign-in, because a program of the merchant opened this portal. In an
 * embedded portal, the affiliate confirms with a code, because a frame on another site cannot keep a sign-in.
 */
export function SignInToChange() {
  if (isEmbedded()) return <ConfirmByCode />;
  return (
    <Alert color="blue" role="status" title={t.signInToChange}>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          dropPortalToken();
          window.location.assign(isPortalHost() ? '/portal' : SIGN_IN);
        }}
      >
        {t.signIn}
      </Button>
    </Alert>
  );
}

const SIGN_IN = '/sign-in?to=portal';

/** Lets the affiliate confirm with an emailed code that it is them. It may be inside a form, so it is none itself. */
function ConfirmByCode() {
  const [code, type] = useState('');
  const request = useMutation({ mutationFn: () => client.portal.requestCode.mutate({}), onSuccess: () => type('') });
  const confirm = useMutation({
    mutationFn: async (challenge: string) => {
      confirmPortal((await client.portal.enterCode.mutate({ challenge, code })).token);
      // The affiliate has other permissions now.
      await queryClient.invalidateQueries({ queryKey: trpc.portal.self.queryKey() });
    },
    onSuccess: request.reset,
  });
  const challenge = request.data?.challenge;
  const enter = getHotkeyHandler([['enter', () => challenge !== undefined && confirm.mutate(challenge)]]);
  return (
    <Alert color="blue" role="group" aria-label={t.codeToChange} title={t.codeToChange}>
      <Stack gap="xs">
        {challenge !== undefined && (
          <TextInput
            label={t.codeFromMail}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={40}
            maw={200}
            value={code}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={enter}
          />
        )}
        {[request, confirm].map(({ error }, at) => error !== null && <Failure key={at} error={error} />)}
        <Group gap="xs">
          {challenge !== undefined && (
            <Button size="compact-sm" loading={confirm.isPending} onClick={() => confirm.mutate(challenge)}>
              {t.agree}
            </Button>
          )}
          <Button variant="default" size="compact-sm" loading={request.isPending} onClick={() => request.mutate()}>
            {challenge === undefined ? t.mailCode : t.mailAnotherCode}
          </Button>
          {request.isError && serviceErrorOf(request.error).code === 'FORBIDDEN' && (
            <Anchor href={SIGN_IN} target="_blank" rel="noopener" size="sm">
              {t.signIn}
            </Anchor>
          )}
        </Group>
        {/* Rendered before it has a text, because screen readers announce only changes. */}
        <div role="status">{request.isSuccess ? t.codeSent : ''}</div>
      </Stack>
    </Alert>
  );
}

/** Shows why a change was refused. If the change requires a recent sign-in, also shows a button to sign in again. */
export function SignInAgain({ error }: { error: unknown }) {
  const again = useMutation({
    mutationFn: async () => (isPortalHost() ? leave() : auth.signOut()),
    onSuccess: () => {
      if (isPortalHost()) return;
      // Otherwise a portal that a link has opened would open again instead of the sign-in page.
      dropPortalToken();
      window.location.assign('/sign-in?to=portal');
    },
  });
  return (
    <>
      <Failure error={error} />
      {serviceErrorOf(error).code === 'FORBIDDEN' && isEmbedded() && <SignInToChange />}
      {serviceErrorOf(error).code === 'FORBIDDEN' && !isEmbedded() && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t.signInAgain}
        </Button>
      )}
    </>
  );
}
