import { Button, Group, List, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { WebhookSetup } from './webhook-setup.tsx';

export function ConnectForm({ connection }: { connection: Outputs['pspConnection']['get'] }) {
  const form = useForm({ initialValues: { secret_key: '', webhook_secret: '' } });
  const connect = useMutation(trpc.pspConnection.connect.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack>
        <Title order={2} size="h4">
          Connect your Stripe account
        </Title>
        <List type="ordered" spacing="xs">
          <List.Item>In Stripe, create a restricted key or a secret key. A test key connects test mode.</List.Item>
          <List.Item>In Stripe, add a webhook endpoint with this URL and these events:</List.Item>
        </List>
        <WebhookSetup connection={connection} />
        <Text>Enter the key and the signing secret of the endpoint:</Text>
        <form onSubmit={form.onSubmit((values) => connect.mutate(values))} autoComplete="off">
          <Stack maw={520}>
            <PasswordInput label="Secret key" required autoComplete="off" {...form.getInputProps('secret_key')} />
            <PasswordInput
              label="Webhook signing secret"
              description="Starts with whsec_."
              required
              autoComplete="off"
              {...form.getInputProps('webhook_secret')}
            />
            {connect.isError && <Failure error={connect.error} />}
            <Group>
              <Button type="submit" loading={connect.isPending}>
                Connect
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Paper>
  );
}
