import { z } from 'zod';
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

/** Procedures of the page Settings > Webhooks (docs/domain-rules.md#webhook-endpoints). Not part of the REST API. */
export const webhookEndpointsRouter = router({
  list: read('webhooks')
    .input(ListWebhookEndpoints)
    .output(WebhookEndpointPage)
    .query(({ ctx, input }) => listWebhookEndpoints(ctx, input)),

  get: read('webhooks')
    .input(WebhookEndpointId)
    .output(WebhookEndpointRecord)
    .query(({ ctx, input }) => getWebhookEndpoint(ctx, input.id)),

  create: write('webhooks', CreateWebhookEndpoint, { check: assertUrlMayBeSaved })
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => createWebhookEndpoint(ctx, input)),

  update: write('webhooks', UpdateWebhookEndpoint, { check: assertUrlMayBeSaved })
    .output(WebhookEndpointRecord)
    .mutation(({ ctx, input }) => updateWebhookEndpoint(ctx, input)),

  delete: write('webhooks', WebhookEndpointId)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteWebhookEndpoint(ctx, input)),

  rotateSecret: write('webhooks', WebhookEndpointId)
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => rotateSigningSecret(ctx, input)),

  sendTest: write('webhooks', WebhookEndpointId)
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
});
