import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { seesLiveOnly, storedModeOf } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { TableRow, Tables } from '../../platform/db/tables.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { EventRecord } from '../events/event.schema.ts';
import type {
  ListWebhookDeliveries,
  WebhookAttemptRecord,
  WebhookDeliveryDetail,
  WebhookDeliveryRecord,
} from './webhook-delivery.schema.ts';

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
