import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { auth } from '../api/auth.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { takePortalPage } from '../session/return-to.ts';
import { t } from '../texts/portal-pages.ts';
import { chosenAccountId } from './early-start.ts';
import { keepStart, startQuery } from './start.ts';

/**
 * Signs in with an emailed link. Requires a click, because programs that scan emails for threats open their links.
 *
 * Most people who follow the link are affiliates. This page is therefore part of the portal, and opens the portal with the data of the
 * sign-in response, without another request.
 */
export function SignInLinkPage() {
  const token = useMailedToken();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    mutationFn: async (answer: ReturnType<typeof auth.signInByLink>) => {
      const { twoFactorRedirect, start } = await answer;
      return twoFactorRedirect ? null : (start ?? (await queryClient.fetchQuery(startQuery)));
    },
    onSuccess: (start) => {
      if (start === null) return window.location.replace('/sign-in?step=code');
      const { accounts, affiliations } = start.session;
      if (accounts.length > 0 || affiliations.length === 0) return window.location.replace('/');
      keepStart(start);
      return navigate(takePortalPage(), { replace: true });
    },
  });
  // Sends the request before the button changes, so that a slow phone draws the button while the service is already working.
  const click = () => signIn.mutate(auth.signInByLink({ token, accountId: chosenAccountId() }));
  return (
    <Card title={t.signIn}>
      <Stack>
        <Text>{t.signsInOnce}</Text>
        {signIn.isError && <Failure error={signIn.error} />}
        {signIn.isError && <Anchor href="/sign-in">{t.requestNewLink}</Anchor>}
        <Button loading={signIn.isPending || signIn.isSuccess} onClick={click} fullWidth>
          {t.signIn}
        </Button>
      </Stack>
    </Card>
  );
}
