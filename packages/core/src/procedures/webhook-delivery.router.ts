import { read, router, write } from '../platform/trpc/trpc.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../webhooks/deliveries/webhook-delivery.queries.ts';
import {
  ListWebhookDeliveries,
  ResendSince,
  ResendSummary,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookDeliveryPage,
} from '../webhooks/deliveries/webhook-delivery.schema.ts';
import { resendSince, retryDelivery } from '../webhooks/deliveries/webhook-delivery.service.ts';

/** Procedures of the page Settings > Webhooks. Not part of the REST API. */
export const webhookDeliveriesRouter = router({
  list: read('webhooks')
    .input(ListWebhookDeliveries)
    .output(WebhookDeliveryPage)
    .query(({ ctx, input }) => listWebhookDeliveries(ctx, input)),

  get: read('webhooks')
    .input(WebhookDeliveryId)
    .output(WebhookDeliveryDetail)
    .query(({ ctx, input }) => getWebhookDelivery(ctx, input.id)),

  retry: write('webhooks', WebhookDeliveryId)
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => retryDelivery(ctx, input)),

  resendSince: write('webhooks', ResendSince)
    .output(ResendSummary)
    .mutation(({ ctx, input }) => resendSince(ctx, input)),
});
