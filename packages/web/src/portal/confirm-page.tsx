import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from '../components/card.tsx';
import { useMailedToken } from '../session/mailed-token.ts';

/** Confirms the address of an application, and shows where it stands. */
export function ConfirmPage() {
  const token = useMailedToken();
  const confirm = useMutation(
    trpc.join.confirm.mutationOptions({
      onSuccess: async ({ sign_in_token }) => {
        if (sign_in_token === null) return;
        await auth.signInByLink({ token: sign_in_token });
        window.location.replace('/portal');
      },
    }),
  );
  return (
    <Card title="Your application">
      <Stack>
        {confirm.isSuccess ? (
          <Text role="status">
            {confirm.data.account_name} has your application.{' '}
            <Anchor href="/sign-in?to=portal">Sign in to see where it stands.</Anchor>
          </Text>
        ) : (
          <Text>Confirm that this is your e-mail address.</Text>
        )}
        {confirm.isError && <Failure error={confirm.error} />}
        {!confirm.isSuccess && (
          <Button loading={confirm.isPending} onClick={() => confirm.mutate({ token })} fullWidth>
            Confirm
          </Button>
        )}
      </Stack>
    </Card>
  );
}
