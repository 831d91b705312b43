import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { LeavePage } from '../session/leave-page.tsx';
import { useSession } from '../session/session.tsx';
import { Card } from './card.tsx';

export function SignInPage() {
  const session = useSession();
  const queryClient = useQueryClient();
  const { state } = useLocation() as { state: { from?: string } | null };
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: (email) => (/^\S+@\S+$/.test(email) ? null : 'Enter your e-mail address, e.g. ada@example.com.') },
  });
  const signIn = useMutation({
    mutationFn: auth.signIn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() }),
  });

  const setup = useQuery(trpc.setup.isNeeded.queryOptions(undefined, { enabled: !session }));
  const link = useMutation({ mutationFn: auth.requestSignInLink });

  if (session && toPortal()) return <LeavePage to="/portal" />;
  if (session) return <Navigate to={state?.from ?? '/'} replace />;
  if (setup.data?.is_needed) return <Navigate to="/setup" replace />;
  return (
    <Card title="Sign in">
      <form onSubmit={form.onSubmit((credentials) => signIn.mutate(credentials))}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {signIn.isError && <Failure error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          <Button
            variant="default"
            loading={link.isPending}
            onClick={() => {
              const { email } = form.getValues();
              if (!form.validateField('email').hasError) link.mutate({ email });
            }}
            fullWidth
          >
            E-mail me a sign-in link
          </Button>
          {link.isSuccess && (
            <Text size="sm" role="status">
              If this e-mail address is known, a link is on its way. It works once, for 15 minutes.
            </Text>
          )}
          {link.isError && <Failure error={link.error} />}
          <Anchor component={Link} to="/forgot-password" size="sm">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </Card>
  );
}

/** True when the portal sent the person here. */
function toPortal(): boolean {
  return new URLSearchParams(window.location.search).get('to') === 'portal';
}
