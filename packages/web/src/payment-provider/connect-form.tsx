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
          Connect your account
        </Title>
        <List type="ordered" spacing="xs">
          <List.Item>At the provider, create a restricted or secret key; a test key connects the test mode.</List.Item>
          <List.Item>There, add a webhook endpoint with this address and these events:</List.Item>
        </List>
        <WebhookSetup connection={connection} />
        <Text>Then enter the key and the endpoint’s signing secret:</Text>
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
