import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import { ATTEMPT_TRIGGERS, DELIVERY_STATUSES } from './webhook-delivery.tables.ts';

const errorCode = () =>
  z
    .string()
    .nullable()
    .describe(
      'Null after a 2xx status. Otherwise `private_uri`, `invalid_uri`, `timeout`, `dns_error`, `ssl_error`, `connection_error`, or `http_<status>`.',
    )
    .meta({ example: 'http_500' });
const responseStatus = () => z.int().nullable().describe('Null when no response came.');
const headers = () => z.record(z.string(), z.string());

export const WebhookDeliveryRecord = z
  .object({
    id: id('delivery').describe('Id of the delivery, which is the `hook-id` of each of its attempts.'),
    endpoint_id: id('webhook_endpoint'),
    event_id: id('event'),
    event_type: z.enum(EVENT_TYPES),
    test: z.boolean().describe('Whether it was made by `sendTest`.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('`pending` until an attempt succeeds or the schedule is spent; `canceled` when the endpoint was deleted before.'),
    attempts_count: z.int(),
    next_attempt_at: instant().nullable().describe('When the schedule tries next; null when it does not.'),
    retry_requested_at: instant().nullable().describe('Set while an attempt asked for by hand is still to be made.'),
    last_attempt_at: instant().nullable(),
    response_status: responseStatus().describe('Of the last attempt; null when no response came.'),
    error_code: errorCode().describe('Of the last attempt; null when it succeeded.'),
    completed_at: instant().nullable().describe('When it succeeded, failed for good or was canceled.'),
    created_at: instant(),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one endpoint.' });
export type WebhookDeliveryRecord = z.infer<typeof WebhookDeliveryRecord>;

export const WebhookAttemptRecord = z
  .object({
    attempt: z.int().describe('From 1.'),
    trigger: z.enum(ATTEMPT_TRIGGERS).describe('Whether the schedule made it, or someone who asked for it.'),
    started_at: instant(),
    duration_ms: z.int(),
    request_headers: headers(),
    response_status: responseStatus(),
    response_headers: headers().nullable(),
    response_excerpt: z.string().nullable().describe('The first 16 KiB of the response body.'),
    error_code: errorCode(),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request of a delivery and what came of it. Kept for 30 days.' });
export type WebhookAttemptRecord = z.infer<typeof WebhookAttemptRecord>;

export const WebhookDeliveryDetail = z
  .object({
    ...WebhookDeliveryRecord.shape,
    request_body: z.string().describe('Sent byte for byte on every attempt.'),
    attempts: z.array(WebhookAttemptRecord).describe('Oldest first.'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

export const WebhookDeliveryId = z.strictObject({ id: id('delivery') });

export const ListWebhookDeliveries = z.strictObject({
  ...pageInput,
  endpoint_id: id('webhook_endpoint').optional(),
  event_type: z.enum(EVENT_TYPES).optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
});
export type ListWebhookDeliveries = z.infer<typeof ListWebhookDeliveries>;
export const WebhookDeliveryPage = paginated(WebhookDeliveryRecord);

export const ResendSince = z.strictObject({
  endpoint_id: id('webhook_endpoint'),
  since: timestamp().describe('Events that occurred at or after this time.'),
});
export type ResendSince = z.infer<typeof ResendSince>;

export const ResendSummary = z
  .object({
    created_count: z.int().describe('New deliveries, of events that had none here or only failed ones.'),
    retried_count: z.int().describe('Deliveries that were waiting for their next attempt and get one at once.'),
  })
  .meta({ id: 'ResendSummary' });
export type ResendSummary = z.infer<typeof ResendSummary>;
