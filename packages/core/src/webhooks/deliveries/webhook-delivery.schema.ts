import { z } from 'zod';
import { modeFilter } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, timestamp } from '../../platform/wire/scalars.ts';
import { DELIVERY_STATUSES } from '../../platform/wire/states.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import { ATTEMPT_TRIGGERS } from './webhook-delivery.tables.ts';

const errorCode = () =>
  z
    .string()
    .nullable()
    .describe(
      '`null` after a 2xx status; otherwise `private_uri`, `invalid_uri`, `timeout`, `dns_error`, `ssl_error`, `connection_error`, or `http_<status>`.',
    )
    .meta({ example: 'http_500' });
const responseStatus = () => z.int().nullable().describe('HTTP status; `null` without a response.');
const headers = () => z.record(z.string(), z.string());

export const WebhookDeliveryRecord = z
  .object({
    id: id('delivery').describe('ID of the delivery, sent as `webhook-id` and `hook-id` with every attempt.'),
    livemode: livemode(),
    endpoint_id: id('webhook_endpoint'),
    event_id: id('event'),
    event_type: z.enum(EVENT_TYPES),
    test: z.boolean().describe('`true` for a test delivery.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        '`pending`: not completed; `succeeded`; `failed`: all scheduled attempts failed; `canceled`: the endpoint was deleted before the delivery was completed.',
      ),
    attempts_count: z.int(),
    next_attempt_at: instant().nullable().describe('Time of the next scheduled attempt; `null` if none is scheduled.'),
    retry_requested_at: instant()
      .nullable()
      .describe('Time at which a manual retry was requested; `null` if none is outstanding.'),
    last_attempt_at: instant().nullable(),
    response_status: responseStatus().describe('HTTP status of the last attempt; `null` without a response.'),
    error_code: errorCode().describe('Error code of the last attempt; `null` if it succeeded.'),
    completed_at: instant().nullable().describe('Time at which the delivery succeeded, finally failed, or was canceled.'),
    created_at: instant(),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one endpoint.' });
export type WebhookDeliveryRecord = z.infer<typeof WebhookDeliveryRecord>;

export const WebhookAttemptRecord = z
  .object({
    attempt: z.int().describe('Attempt number, starting at 1.'),
    trigger: z.enum(ATTEMPT_TRIGGERS).describe('Origin of the attempt: the schedule or a manual request.'),
    started_at: instant(),
    duration_ms: z.int(),
    request_headers: headers(),
    response_status: responseStatus(),
    response_headers: headers().nullable(),
    response_excerpt: z.string().nullable().describe('First 16 KiB of the response body.'),
    error_code: errorCode(),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request of a delivery and its response. Kept for 30 days.' });
export type WebhookAttemptRecord = z.infer<typeof WebhookAttemptRecord>;

export const WebhookDeliveryDetail = z
  .object({
    ...WebhookDeliveryRecord.shape,
    request_body: z.string().describe('Request body, identical for every attempt.'),
    attempts: z.array(WebhookAttemptRecord).describe('Attempts, oldest first.'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

export const WebhookDeliveryId = z.strictObject({ id: id('delivery') });

export const ListWebhookDeliveries = z.strictObject({
  ...pageInput,
  ...sortBy(),
  endpoint_id: id('webhook_endpoint').optional(),
  event_type: z.enum(EVENT_TYPES).optional().describe('Filters by the type of the event.'),
  livemode: modeFilter(),
  status: z.enum(DELIVERY_STATUSES).optional().describe('Filters by status.'),
});
export type ListWebhookDeliveries = z.infer<typeof ListWebhookDeliveries>;
export const WebhookDeliveryPage = paginated(WebhookDeliveryRecord);

export const ResendSince = z.strictObject({
  endpoint_id: id('webhook_endpoint'),
  since: timestamp().describe('Events that occurred at or after this time are sent again, unless they were delivered.'),
});
export type ResendSince = z.infer<typeof ResendSince>;

export const ResendSummary = z
  .object({
    created_count: z
      .int()
      .describe('Number of new deliveries, for events without a delivery to the endpoint or with only failed ones.'),
    retried_count: z.int().describe('Number of pending deliveries that are attempted again immediately.'),
  })
  .meta({ id: 'ResendSummary' });
export type ResendSummary = z.infer<typeof ResendSummary>;
