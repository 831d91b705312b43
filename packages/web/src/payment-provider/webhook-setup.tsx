import { Code, Stack } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { t } from '../texts/payment-provider.ts';

/** Shows the webhook URL and the event types to configure in Stripe. */
export function WebhookSetup({ connection }: { connection: Outputs['pspConnection']['get'] }) {
  const { webhook_url, webhook_event_types } = connection;
  return (
    <Stack gap="xs">
      <Code block tabIndex={0} aria-label={t.webhookUrl}>
        {webhook_url}
      </Code>
      <Code block tabIndex={0} aria-label={t.webhookEvents}>
        {webhook_event_types.join('\n')}
      </Code>
    </Stack>
  );
}
