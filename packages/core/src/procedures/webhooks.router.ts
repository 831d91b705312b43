import { z } from 'zod';
import { expandable } from '../platform/call/expand.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { paginated } from '../platform/wire/pagination.ts';
import { resendSince, retryDelivery, sendTest } from '../webhooks/deliveries/webhook-delivery.service.ts';
import {
  findDeliveriesOfEvents,
  getWebhookDelivery,
  ListWebhookDeliveries,
  listWebhookDeliveries,
  ResendSince,
  ResendSummary,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookDeliveryPage,
  WebhookDeliveryRecord,
} from '../webhooks/deliveries/webhook-delivery.ts';
import {
  assertUrlMayBeSaved,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateSigningSecret,
  updateWebhookEndpoint,
} from '../webhooks/endpoints/webhook-endpoint.service.ts';
import {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  UpdateWebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointPage,
  WebhookEndpointRecord,
  WebhookEndpointWithSecret,
} from '../webhooks/endpoints/webhook-endpoint.ts';
import { EventId, EventRecord, getEvent, ListEvents, listEvents } from '../webhooks/events/event.ts';

/** Procedures of the page Settings > Webhooks (docs/rules/webhooks.md#webhook-endpoints). */
export const webhookEndpointsRouter = router({
  list: rest(read('webhooks'), 'GET /api/settings/v1/webhook_endpoints', {
    summary: 'List webhook endpoints',
    description: 'Returns endpoints that are not deleted, newest first.',
  })
    .input(ListWebhookEndpoints)
    .output(WebhookEndpointPage)
    .query(({ ctx, input }) => listWebhookEndpoints(ctx, input)),

  get: rest(read('webhooks'), 'GET /api/settings/v1/webhook_endpoints/{id}', {
    summary: 'Retrieve a webhook endpoint',
    description: 'Also returns deleted endpoints.',
  })
    .input(WebhookEndpointId)
    .output(WebhookEndpointRecord)
    .query(({ ctx, input }) => getWebhookEndpoint(ctx, input.id)),

  create: rest(
    write('webhooks', CreateWebhookEndpoint, { check: assertUrlMayBeSaved, confirmed: true }),
    'POST /api/settings/v1/webhook_endpoints',
    {
      summary: 'Create a webhook endpoint',
      description:
        'The signing secret is in `signing_secret` of the response and is returned only once. An account has at most 100 endpoints.',
      status: 201,
    },
  )
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => createWebhookEndpoint(ctx, input)),

  update: rest(
    write('webhooks', UpdateWebhookEndpoint, { check: assertUrlMayBeSaved }),
    'PATCH /api/settings/v1/webhook_endpoints/{id}',
    {
      summary: 'Update a webhook endpoint',
      description: 'Updates the given fields. `active: true` activates an endpoint that the service deactivated.',
    },
  )
    .output(WebhookEndpointRecord)
    .mutation(({ ctx, input }) => updateWebhookEndpoint(ctx, input)),

  delete: rest(write('webhooks', WebhookEndpointId), 'DELETE /api/settings/v1/webhook_endpoints/{id}', {
    summary: 'Delete a webhook endpoint',
    description:
      'Pending deliveries are canceled. The endpoint is no longer listed, but it and its deliveries can still be retrieved.',
    status: 204,
  })
    .output(z.void())
    .mutation(({ ctx, input }) => deleteWebhookEndpoint(ctx, input)),

  rotateSecret: rest(write('webhooks', WebhookEndpointId), 'POST /api/settings/v1/webhook_endpoints/{id}/rotate_secret', {
    summary: 'Rotate the signing secret of a webhook endpoint',
    description:
      'The new secret is in `signing_secret` of the response and is returned only once. For 24 hours, deliveries are also signed with the previous secret.',
  })
    .output(WebhookEndpointWithSecret)
    .mutation(({ ctx, input }) => rotateSigningSecret(ctx, input)),

  sendTest: rest(write('webhooks', WebhookEndpointId), 'POST /api/settings/v1/webhook_endpoints/{id}/test', {
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Posts a made-up event of the first subscribed type, with `"test": true`, in one attempt. Works for inactive endpoints, too. Returns the delivery.',
    status: 201,
  })
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
});

/** Procedures of the page Settings > Webhooks (docs/rules/webhooks.md#deliveries). */
export const webhookDeliveriesRouter = router({
  list: rest(read('webhooks'), 'GET /api/settings/v1/webhook_deliveries', {
    summary: 'List webhook deliveries',
    description: 'Returns the deliveries of the last 90 days, those of deleted endpoints included, newest first.',
  })
    .input(ListWebhookDeliveries)
    .output(WebhookDeliveryPage)
    .query(({ ctx, input }) => listWebhookDeliveries(ctx, input)),

  get: rest(read('webhooks'), 'GET /api/settings/v1/webhook_deliveries/{id}', {
    summary: 'Retrieve a webhook delivery',
    description: 'Includes the request body and the attempts of the last 30 days, with their responses.',
  })
    .input(WebhookDeliveryId)
    .output(WebhookDeliveryDetail)
    .query(({ ctx, input }) => getWebhookDelivery(ctx, input.id)),

  retry: rest(write('webhooks', WebhookDeliveryId), 'POST /api/settings/v1/webhook_deliveries/{id}/retry', {
    summary: 'Retry a webhook delivery',
    description:
      'Makes one extra attempt now, whatever the status of the delivery. The schedule of attempts does not change. Fails if the endpoint is deleted.',
  })
    .output(WebhookDeliveryDetail)
    .mutation(({ ctx, input }) => retryDelivery(ctx, input)),

  resendSince: rest(write('webhooks', ResendSince), 'POST /api/settings/v1/webhook_endpoints/{endpoint_id}/resend', {
    summary: 'Send the events since a time again',
    description:
      'For a receiver that was down. Events without a delivery to the endpoint, or with failed ones only, get a new delivery. Pending deliveries get an extra attempt now. The endpoint must be active.',
  })
    .output(ResendSummary)
    .mutation(({ ctx, input }) => resendSince(ctx, input)),
});

const eventExpansions = expandable<EventRecord>()({
  deliveries: { schema: z.array(WebhookDeliveryRecord), load: findDeliveriesOfEvents },
});

/** An event and, on request, its deliveries to webhook endpoints, oldest first. */
const DeliveredEvent = z
  .object({ ...EventRecord.shape, ...eventExpansions.output })
  .meta({ id: 'Event', description: 'Something that happened to a record. Kept for 90 days.' });

const GetEvent = z.strictObject({ ...EventId.shape, ...eventExpansions.input });
const ListDeliveredEvents = z.strictObject({ ...ListEvents.shape, ...eventExpansions.input });
const DeliveredEventPage = paginated(DeliveredEvent);

/** The stored events (docs/rules/webhooks.md#events). Requires the permission to read webhooks, because their deliveries show the same data. */
export const eventsRouter = router({
  list: rest(read('webhooks'), 'GET /events', {
    summary: 'List events',
    description:
      'Returns the events of the last 90 days, newest first, whether or not a webhook endpoint received them. Events of test deliveries are left out.',
  })
    .input(ListDeliveredEvents)
    .output(DeliveredEventPage)
    .query(async ({ ctx, input: { expand, ...input } }) => {
      const { data, pagination } = await listEvents(ctx, input);
      return { data: await eventExpansions.into(ctx, data, expand), pagination };
    }),

  get: rest(read('webhooks'), 'GET /events/{id}', {
    summary: 'Retrieve an event',
    description: 'Also returns the events of test deliveries.',
  })
    .input(GetEvent)
    .output(DeliveredEvent)
    .query(async ({ ctx, input: { id, expand } }) => eventExpansions.intoOne(ctx, await getEvent(ctx, id), expand)),
});
