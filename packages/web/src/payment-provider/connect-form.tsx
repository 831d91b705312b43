import { Button, Group, List, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { WebhookSetup } from './webhook-setup.tsx';
import { t } from '../texts/payment-provider.ts';

export function ConnectForm({ connection }: { connection: Outputs['pspConnection']['get'] }) {
  const form = useForm({ initialValues: { secret_key: '', webhook_secret: '' } });
  const connect = useMutation(trpc.pspConnection.connect.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack>
        <Title order={2} size="h4">
          {t.connectYourStripeAccount}
        </Title>
        <List type="ordered" spacing="xs">
          <List.Item>{t.createKey}</List.Item>
          <List.Item>{t.addEndpoint}</List.Item>
        </List>
        <WebhookSetup connection={connection} />
        <Text>{t.enterKeyAndSecret}</Text>
        <form onSubmit={form.onSubmit((values) => connect.mutate(values))} autoComplete="off">
          <Stack maw={520}>
            <PasswordInput label={t.secretKey} required autoComplete="off" {...form.getInputProps('secret_key')} />
            <PasswordInput
              label={t.webhookSigningSecret}
              description={t.startsWithWhsec}
              required
              autoComplete="off"
              {...form.getInputProps('webhook_secret')}
            />
            {connect.isError && <Failure error={connect.error} />}
            <Group>
              <Button type="submit" loading={connect.isPending}>
                {t.connect}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Paper>
  );
}
