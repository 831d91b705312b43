import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auth } from '../api/auth.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from './card.tsx';

export function ForgotPasswordPage() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const request = useMutation({ mutationFn: auth.requestPasswordReset });
  return (
    <Card title="Reset your password">
      {request.isSuccess ? (
        <Text role="status">If an account exists for {request.variables.email}, we have sent a link to reset the password.</Text>
      ) : (
        <form onSubmit={form.onSubmit((values) => request.mutate(values))}>
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
            {request.isError && <Failure error={request.error} />}
            <Button type="submit" loading={request.isPending}>
              Send reset link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" size="sm" mt="md" display="block">
        Back to sign-in
      </Anchor>
    </Card>
  );
}
