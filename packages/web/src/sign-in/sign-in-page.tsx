import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { useSession } from '../session/session.tsx';
import { Card } from './card.tsx';

export function SignInPage() {
  const session = useSession();
  const queryClient = useQueryClient();
  const { state } = useLocation() as { state: { from?: string } | null };
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: auth.signIn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() }),
  });

  if (session) return <Navigate to={state?.from ?? '/'} replace />;
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
          <Anchor component={Link} to="/forgot-password" size="sm">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </Card>
  );
}
