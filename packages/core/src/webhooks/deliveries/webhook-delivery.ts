import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { seesLiveOnly, storedModeOf } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { TableRow, Tables } from '../../platform/db/tables.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { modeFilter } from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, timestamp } from '../../platform/wire/scalars.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../platform/wire/states.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import type { EventRecord } from '../events/event.ts';

/** Trigger of an attempt: the retry schedule, or a manual request. */
const ATTEMPT_TRIGGERS = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];

export interface WebhookAttemptTable {
  id: string;
  delivery_id: string;
  /** Number of the attempt among all attempts of the delivery, from 1. */
  attempt: number;
  trigger: AttemptTrigger;
  started_at: Instant;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  /** Keyed by lower-case name. */
  response_headers: Record<string, string> | null;
  response_excerpt: string | null;
  /** Null if, and only if, the response status was 2xx. */
  error_code: string | null;
}

/** Both tables have no entities, because their rows are written in bulk by set-based statements. */
declare module '../../platform/db/tables.ts' {
  interface Tables {
    webhook_attempt: WebhookAttemptTable;
    webhook_delivery: {
      id: string;
      account_id: string;
      endpoint_id: string;
      event_id: string;
      status: DeliveryStatus;
      /** Number of attempts made. */
      attempts: number;
      /** Number of automatic attempts made, i.e. the position in the retry schedule. */
      schedule_step: number;
      /** Time of the next automatic attempt. Set only while pending. */
      next_attempt_at: Instant | null;
      /** Set while an attempt requested by hand is outstanding, in any status. */
      retry_requested_at: Instant | null;
      completed_at: Instant | null;
      created_at: Instant;
    };
  }
}

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

const WebhookAttemptRecord = z
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
type WebhookAttemptRecord = z.infer<typeof WebhookAttemptRecord>;

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

type DeliveryQuery<Row> = SelectQueryBuilder<Tables & { delivery: Tables['webhook_delivery'] }, 'delivery', Row>;

/**
 * Lists the deliveries of the account, newest first.
 *
 * @throws VALIDATION_ERROR if a key of live mode asks for test mode
 */
export async function listWebhookDeliveries(
  ctx: Ctx,
  { endpoint_id, event_type, livemode, status, ...page }: ListWebhookDeliveries,
) {
  let query: DeliveryQuery<object> = deliveries(ctx);
  if (endpoint_id !== undefined) query = query.where('delivery.endpoint_id', '=', endpoint_id);
  if (status !== undefined) query = query.where('delivery.status', '=', status);
  if (livemode !== undefined) query = query.where(isOfMode(ctx, livemode));
  if (event_type !== undefined) {
    query = query.where((eb) =>
      eb.exists(eb.selectFrom('event').whereRef('event.id', '=', 'delivery.event_id').where('event.type', '=', event_type)),
    );
  }
  return paginate(query, page, { order: listOrder(page.sort, { table: 'delivery' }), select: withRecordColumns });
}

/** Returns a delivery with its payload and every attempt that is still kept. Throws NOT_FOUND. */
export async function getWebhookDelivery(ctx: Ctx, id: string): Promise<WebhookDeliveryDetail> {
  const row = await withRecordColumns(deliveries(ctx).where('delivery.id', '=', id))
    .select((eb) =>
      eb
        .selectFrom('event')
        .whereRef('event.id', '=', 'delivery.event_id')
        .select('event.body')
        .$asScalar()
        .$notNull()
        .as('request_body'),
    )
    .executeTakeFirst();
  const delivery = foundOrThrow(row, 'delivery');
  const attempts = await ctx.db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('attempt')
    .orderBy('id')
    .execute();
  return { ...delivery, attempts: attempts.map(attemptRecord) };
}

/** Returns the deliveries of each event, oldest first. */
export async function findDeliveriesOfEvents(
  ctx: Ctx,
  events: readonly Pick<EventRecord, 'id'>[],
): Promise<WebhookDeliveryRecord[][]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const found = await withRecordColumns(deliveries(ctx).where(oneOf('delivery.event_id', ids)))
    .orderBy('delivery.id')
    .execute();
  const byEvent = Map.groupBy(found, ({ event_id }) => event_id);
  return ids.map((id) => byEvent.get(id) ?? []);
}

function deliveries(ctx: Ctx): DeliveryQuery<object> {
  const query = ctx.db.selectFrom('webhook_delivery as delivery').where('delivery.account_id', '=', ctx.accountId);
  return seesLiveOnly(ctx)
    ? query.where(sql<boolean>`exists (select from event where event.id = delivery.event_id and event.livemode)`)
    : query;
}

/** SQL condition: the event of the delivery is of a mode. All deliveries of a test account are of test mode. */
function isOfMode(ctx: Ctx, livemode: boolean): RawBuilder<boolean> {
  if (isTestAccount(ctx.accountId)) return sql<boolean>`${!livemode}::boolean`;
  return sql<boolean>`exists (select from event where event.id = delivery.event_id and event.livemode = ${storedModeOf(ctx, livemode)})`;
}

/** Adds the columns of the wire record, including those of the event and the last attempt. */
function withRecordColumns(
  query: DeliveryQuery<object>,
): SelectQueryBuilder<Tables & { delivery: Tables['webhook_delivery'] }, 'delivery', WebhookDeliveryRecord> {
  return query
    .innerJoin('event', 'event.id', 'delivery.event_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_attempt')
          .whereRef('webhook_attempt.delivery_id', '=', 'delivery.id')
          .orderBy('webhook_attempt.attempt', 'desc')
          .limit(1)
          .select(['started_at', 'response_status', 'error_code'])
          .as('last_attempt'),
      (join) => join.onTrue(),
    )
    .select([
      'delivery.id',
      'event.livemode',
      'delivery.endpoint_id',
      'delivery.event_id',
      'event.type as event_type',
      'event.is_test as test',
      'delivery.status',
      'delivery.attempts as attempts_count',
      'delivery.next_attempt_at',
      'delivery.retry_requested_at',
      'last_attempt.started_at as last_attempt_at',
      'last_attempt.response_status',
      'last_attempt.error_code',
      'delivery.completed_at',
      'delivery.created_at',
    ]) as never;
}

function attemptRecord({ id: _, delivery_id: _delivery, ...columns }: TableRow<'webhook_attempt'>): WebhookAttemptRecord {
  return columns;
}
