import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';

export function webhookEndpoint(fields: Partial<Stripe.WebhookEndpoint> = {}): Stripe.WebhookEndpoint {
  return {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: nowSeconds(),
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: 'https://merchant.example/events',
    ...fields,
  };
}
