import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/join.ts';
import { keepStart } from './start.ts';

/** Confirms the email address of an application, and then opens the portal or confirms that the application was sent. */
export function ConfirmPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const confirm = useMutation(
    trpc.join.confirm.mutationOptions({
      onSuccess: async ({ sign_in_token, portal_token }) => {
        if (portal_token !== null) window.location.replace(`/portal/enter#token=${portal_token}`);
        if (sign_in_token === null) return;
        const { start } = await auth.signInByLink({ token: sign_in_token });
        if (start === undefined) return window.location.replace('/portal');
        keepStart(start);
        return navigate('/portal', { replace: true });
      },
    }),
  );
  return (
    <Card title={t.yourApplication}>
      <Stack>
        {confirm.isSuccess ? (
          <Text role="status">
            {t.sent({ account: confirm.data.account_name })}{' '}
            <Anchor href={isPortalHost() ? '/portal' : '/sign-in?to=portal'}>{t.signInToSee}</Anchor>
          </Text>
        ) : (
          <Text>{t.confirmItIsYours}</Text>
        )}
        {confirm.isError && <Failure error={confirm.error} />}
        {!confirm.isSuccess && (
          <Button loading={confirm.isPending} onClick={() => confirm.mutate({ token })} fullWidth>
            {t.confirm}
          </Button>
        )}
      </Stack>
    </Card>
  );
}
