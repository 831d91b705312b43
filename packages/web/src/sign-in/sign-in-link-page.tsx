import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auth } from '../api/auth.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from './card.tsx';
import { useMailedToken } from './token.ts';

/** Signs in with the link of an e-mail. On a click: programs that look at mail for threats open its links. */
export function SignInLinkPage() {
  const token = useMailedToken();
  const signIn = useMutation({ mutationFn: auth.signInByLink, onSuccess: () => window.location.replace('/') });
  return (
    <Card title="Sign in">
      <Stack>
        <Text>This link signs you in once.</Text>
        {signIn.isError && (
          <>
            <Failure error={signIn.error} />
            <Anchor component={Link} to="/sign-in" size="sm">
              Request a new link
            </Anchor>
          </>
        )}
        <Button loading={signIn.isPending || signIn.isSuccess} onClick={() => signIn.mutate({ token })} fullWidth>
          Sign in
        </Button>
      </Stack>
    </Card>
  );
}
