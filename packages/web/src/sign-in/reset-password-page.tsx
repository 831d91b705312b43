import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auth } from '../api/auth.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from './card.tsx';
import { useMailedToken } from './token.ts';

export function ResetPasswordPage() {
  const token = useMailedToken();
  const form = useForm({ mode: 'uncontrolled', initialValues: { newPassword: '' } });
  const reset = useMutation({ mutationFn: auth.resetPassword });
  return (
    <Card title="Set a new password">
      {reset.isSuccess ? (
        <Stack>
          <Text role="status">Your password has been changed. You have been signed out everywhere.</Text>
          <Button component={Link} to="/sign-in">
            Sign in
          </Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ newPassword }) => reset.mutate({ token, newPassword }))}>
          <Stack>
            <PasswordInput
              label="New password"
              description="At least 8 characters."
              autoComplete="new-password"
              required
              minLength={8}
              maxLength={128}
              withAsterisk={false}
              key={form.key('newPassword')}
              {...form.getInputProps('newPassword')}
            />
            {reset.isError && <Failure error={reset.error} />}
            <Button type="submit" loading={reset.isPending}>
              Change password
            </Button>
            <Anchor component={Link} to="/forgot-password" size="sm">
              Request a new link
            </Anchor>
          </Stack>
        </form>
      )}
    </Card>
  );
}
