import { Anchor, Button, Group, List, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/payment-provider.ts';
import { WebhookSetup } from './webhook-setup.tsx';

/** The permissions of a restricted key, in Stripe's own words. */
const PERMISSIONS = [
  [t.stripeWebhookEndpoints, t.write],
  ['Connect → Accounts', t.read],
  [t.stripeInvoices, t.read],
  [t.stripeSubscriptions, t.read],
  [t.stripeEvents, t.read],
  [t.stripeCheckoutSessions, t.read],
  [t.stripePrices, t.read],
  [t.stripeCoupons, t.read],
  [t.stripePromotionCodes, t.write],
];

/** Connects Stripe by a key alone. The service then creates the webhook endpoint, unless the merchant has created one. */
export function ConnectForm({ connection }: { connection: Outputs['pspConnection']['get'] }) {
  const [isByHand, byHand] = useDisclosure();
  const form = useForm({ initialValues: { secret_key: '', webhook_secret: '' } });
  const connect = useMutation(trpc.pspConnection.connect.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));
  const send = ({ secret_key, webhook_secret }: typeof form.values) =>
    connect.mutate({ secret_key, ...(isByHand && { webhook_secret }) });
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack>
        <Title order={2} size="h4">
          {t.connectYourStripeAccount}
        </Title>
        <Text>{t.createKey}</Text>
        <List spacing={4}>
          {PERMISSIONS.map(([resource, access]) => (
            <List.Item key={resource}>{`${resource}: ${access}`}</List.Item>
          ))}
        </List>
        <Text size="sm">{t.optionalPermissions}</Text>
        <form onSubmit={form.onSubmit(send)} autoComplete="off">
          <Stack maw={520}>
            <PasswordInput
              label={t.secretKey}
              description={t.startsWithRk}
              required
              autoComplete="off"
              {...form.getInputProps('secret_key')}
            />
            {isByHand ? (
              <>
                <Text>{t.addEndpoint}</Text>
                <WebhookSetup connection={connection} />
                <PasswordInput
                  label={t.webhookSigningSecret}
                  description={t.startsWithWhsec}
                  required
                  autoComplete="off"
                  {...form.getInputProps('webhook_secret')}
                />
              </>
            ) : (
              <Text size="sm">
                {t.createsEndpoint}{' '}
                <Anchor component="button" type="button" size="sm" onClick={byHand.open}>
                  {t.createByHand}
                </Anchor>
              </Text>
            )}
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
