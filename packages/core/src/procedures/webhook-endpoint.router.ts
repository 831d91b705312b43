import { z } from 'zod';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { WebhookDeliveryDetail } from '../webhooks/deliveries/webhook-delivery.schema.ts';
import { sendTest } from '../webhooks/deliveries/webhook-delivery.service.ts';
import { getWebhookEndpoint, listWebhookEndpoints } from '../webhooks/endpoints/webhook-endpoint.queries.ts';
import {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  UpdateWebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointPage,
  WebhookEndpointRecord,
  WebhookEndpointWithSecret,
} from '../webhooks/endpoints/webhook-endpoint.schema.ts';
import {
  assertUrlMayBeSaved,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateSigningSecret,
  updateWebhookEndpoint,
} from '../webhooks/endpoints/webhook-endpoint.service.ts';

/** Procedures of the page Settings > Webhooks (docs/rules/webhooks.md#webhook-endpoints). */
export const webhookEndpointsRouter = router({
  list: read('webhooks')
    .meta(
      rest('GET', '/api/settings/v1/webhook_endpoints', {
        summary: 'List webhook endpoints',
        description: 'Returns endpoints that are not deleted, newest first.',
      }),
    )
    .input(ListWebhookEndpoints)
    .output(WebhookEndpointPage)
    .query(({ ctx, input }) => listWebhookEndpoints(ctx, input)),

  get: read('webhooks')
    .meta(
      rest('GET', '/api/settings/v1/webhook_endpoints/{id}', {
        summary: 'Retrieve a webhook endpoint',
        description: 'Also returns deleted endpoints.',
      }),
    )
    .input(WebhookEndpointId)
    .output(WebhookEndpointRecord)
    .query(({ ctx, input }) => getWebhookEndpoint(ctx, input.id)),

  create: write('webhooks', CreateWebhookEndpoint, { check: assertUrlMayBeSaved, confirmed: true })
    .meta(
      rest('POST', '/api/settings/v1/webhook_endpoints', {
        summary: 'Create a webhook endpoint',
        description:
          'The signing secret is in `signing_secret` of the response and is returned only once. An account has at most 100 endpoints.',
        status: 201,
      }),
    )
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => createWebhookEndpoint(ctx, input)),

  update: write('webhooks', UpdateWebhookEndpoint, { check: assertUrlMayBeSaved })
    .meta(
      rest('PATCH', '/api/settings/v1/webhook_endpoints/{id}', {
        summary: 'Update a webhook endpoint',
        description: 'Updates the given fields. `active: true` activates an endpoint that the service deactivated.',
      }),
    )
    .output(WebhookEndpointRecord)
    .mutation(({ ctx, input }) => updateWebhookEndpoint(ctx, input)),

  delete: write('webhooks', WebhookEndpointId)
    .meta(
      rest('DELETE', '/api/settings/v1/webhook_endpoints/{id}', {
        summary: 'Delete a webhook endpoint',
        description:
          'Pending deliveries are canceled. The endpoint is no longer listed, but it and its deliveries can still be retrieved.',
        status: 204,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => deleteWebhookEndpoint(ctx, input)),

  rotateSecret: write('webhooks', WebhookEndpointId)
    .meta(
      rest('POST', '/api/settings/v1/webhook_endpoints/{id}/rotate_secret', {
        summary: 'Rotate the signing secret of a webhook endpoint',
        description:
          'The new secret is in `signing_secret` of the response and is returned only once. For 24 hours, deliveries are also signed with the previous secret.',
      }),
    )
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => rotateSigningSecret(ctx, input)),

  sendTest: write('webhooks', WebhookEndpointId)
    .meta(
      rest('POST', '/api/settings/v1/webhook_endpoints/{id}/test', {
        summary: 'Send a test event to a webhook endpoint',
        description:
          'Posts a made-up event of the first subscribed type, with `"test": true`, in one attempt. Works for inactive endpoints, too. Returns the delivery.',
        status: 201,
      }),
    )
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
});
