import { defineTools } from '../define-tool.ts';

export const WEBHOOKS = defineTools('webhooks', [
  {
    name: 'webhooks',
    title: 'Webhooks',
    description:
      'Find out why a shop did not hear of an event. endpoints: receivers and their health. deliveries: one per event and endpoint; delivery adds the body and each attempt with response or error.',
    actions: {
      endpoints: {
        procedure: 'webhookEndpoints.list',
        columns: ['id', 'name', 'url', 'active', 'disabled_reason', 'failing_since', 'last_success_at'],
      },
      endpoint: 'webhookEndpoints.get',
      deliveries: {
        procedure: 'webhookDeliveries.list',
        // The many types would make the tool large, and the table shows them.
        omits: ['event_type', 'livemode'],
        columns: [
          'id',
          'endpoint_id',
          'event_type',
          'livemode',
          'status',
          'attempts_count',
          'response_status',
          'error_code',
          'created_at',
        ],
      },
      delivery: 'webhookDeliveries.get',
    },
  },
  {
    name: 'manage_webhooks',
    title: 'Manage webhooks',
    description:
      'retry sends a failed delivery again, resend the undelivered events since a time, send_test a test event. create makes an endpoint; the user gets its secret by rotating it in Settings.',
    openWorld: true,
    actions: {
      create: {
        procedure: 'webhookEndpoints.create',
        hides: ['signing_secret'],
        omits: ['secret_headers'],
        unlisted: ['event_types'],
        destructive: true,
        idempotent: false,
      },
      retry: { procedure: 'webhookDeliveries.retry', destructive: false, idempotent: false },
      resend: { procedure: 'webhookDeliveries.resendSince', destructive: false, idempotent: false },
      send_test: { procedure: 'webhookEndpoints.sendTest', destructive: false, idempotent: false },
      update: {
        procedure: 'webhookEndpoints.update',
        // Only a person redirects an endpoint, because its events would silently go elsewhere. A new one is seen beside the others.
        omits: ['url', 'secret_headers'],
        unlisted: ['event_types'],
        destructive: true,
        idempotent: true,
      },
    },
  },
]);
