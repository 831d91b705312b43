import { rest } from '../platform/trpc/rest-route.ts';
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

/** Procedures of the page Settings > Webhooks (docs/rules/webhooks.md#deliveries). */
export const webhookDeliveriesRouter = router({
  list: read('webhooks')
    .meta(
      rest('GET', '/api/settings/v1/webhook_deliveries', {
        summary: 'List webhook deliveries',
        description: 'Returns the deliveries of the last 90 days, those of deleted endpoints included, newest first.',
      }),
    )
    .input(ListWebhookDeliveries)
    .output(WebhookDeliveryPage)
    .query(({ ctx, input }) => listWebhookDeliveries(ctx, input)),

  get: read('webhooks')
    .meta(
      rest('GET', '/api/settings/v1/webhook_deliveries/{id}', {
        summary: 'Retrieve a webhook delivery',
        description: 'Includes the request body and the attempts of the last 30 days, with their responses.',
      }),
    )
    .input(WebhookDeliveryId)
    .output(WebhookDeliveryDetail)
    .query(({ ctx, input }) => getWebhookDelivery(ctx, input.id)),

  retry: write('webhooks', WebhookDeliveryId)
    .meta(
      rest('POST', '/api/settings/v1/webhook_deliveries/{id}/retry', {
        summary: 'Retry a webhook delivery',
        description:
          'Makes one extra attempt now, whatever the status of the delivery. The schedule of attempts does not change. Fails if the endpoint is deleted.',
      }),
    )
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => retryDelivery(ctx, input)),

  resendSince: write('webhooks', ResendSince)
    .meta(
      rest('POST', '/api/settings/v1/webhook_endpoints/{endpoint_id}/resend', {
        summary: 'Send the events since a time again',
        description:
          'For a receiver that was down. Events without a delivery to the endpoint, or with failed ones only, get a new delivery. Pending deliveries get an extra attempt now. The endpoint must be active.',
      }),
    )
    .output(ResendSummary)
    .mutation(({ ctx, input }) => resendSince(ctx, input)),
});
