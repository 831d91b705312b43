import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { showAccount } from '../api/shown-account.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { sessionQuery } from '../session/session-query.ts';
import { t } from '../texts/en/portal-pages.ts';
import { chosen } from './portal-session.tsx';

const PORTAL = '/portal';

/**
 * Signs in with the link of an e-mail. On a click: programs that look at mail for threats open its links. Most who come are affiliates, so
 * this page is one of the portal, which then opens without loading anything but the data.
 */
export function SignInLinkPage() {
  const token = useMailedToken();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    mutationFn: async () => {
      const { twoFactorRedirect } = await auth.signInByLink({ token });
      if (twoFactorRedirect) return '/sign-in?step=code';
      const { accounts, affiliations } = await queryClient.fetchQuery(sessionQuery);
      if (accounts.length > 0 || affiliations.length === 0) return '/';
      const affiliation = chosen(affiliations)!;
      showAccount(affiliation.account_id);
      // The portal finds its figures on the way.
      if (affiliation.state === 'active') void queryClient.prefetchQuery(trpc.portal.home.queryOptions());
      return PORTAL;
    },
    onSuccess: (page) => (page === PORTAL ? navigate(page, { replace: true }) : window.location.replace(page)),
  });
  return (
    <Card title={t.signIn}>
      <Stack>
        <Text>{t.signsInOnce}</Text>
        {signIn.isError && <Failure error={signIn.error} />}
        {signIn.isError && <Anchor href="/sign-in">{t.requestNewLink}</Anchor>}
        <Button loading={signIn.isPending || signIn.isSuccess} onClick={() => signIn.mutate()} fullWidth>
          {t.signIn}
        </Button>
      </Stack>
    </Card>
  );
}
