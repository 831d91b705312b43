import { sql } from 'kysely';
import { actorOf } from '../../platform/call/caller.ts';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { lockRow } from '../../platform/call/locks.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { referenced } from '../../platform/call/records.ts';
import { changeApart } from '../../platform/db/claim.ts';
import { invalid, noSuch, notFound } from '../../platform/errors/errors.ts';
import { Leftovers } from '../../platform/sweeps/failures.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { loadLiveEndpoint } from '../endpoints/webhook-endpoint.service.ts';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.ts';
import { subscribes } from '../events/emit.ts';
import { EVENT_API_VERSION, typesOf } from '../events/event-types.ts';
import { sampleEventData } from '../events/wire-samples.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import { getWebhookDelivery, type ResendSince, type ResendSummary, type WebhookDeliveryDetail } from './webhook-delivery.ts';

/**
 * Requests one extra attempt now, whatever the delivery's status and whether or not its endpoint is active. The schedule does not change. A
 * second request before the attempt is made has no effect.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the endpoint has been deleted
 */
export async function retryDelivery(ctx: WriteCtx, { id }: { id: string }): Promise<WebhookDeliveryDetail> {
  const delivery = await ctx.db
    .updateTable('webhook_delivery')
    .set((eb) => ({ retry_requested_at: eb.fn.coalesce('retry_requested_at', eb.val(ctx.now)) }))
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .returning('endpoint_id')
    .executeTakeFirst();
  if (!delivery) throw notFound('delivery');
  const endpoint = await referenced(ctx, WebhookEndpoint, delivery.endpoint_id, 'id');
  if (endpoint.deleted_at !== null) throw invalid('id', WEBHOOK_REASONS.endpoint_deleted, 'endpoint_deleted');
  ctx.afterCommit(() => ctx.services.jobs.send('webhooks', [delivery.endpoint_id]));
  return getWebhookDelivery(ctx, id);
}

/**
 * Sends an endpoint all events that occurred at or after `since` and that it has not received. Only events of its mode and of the types that it
 * subscribes to now are sent. Events without a delivery to the endpoint, or with only failed deliveries, get a new delivery. Pending deliveries get an
 * extra attempt now.
 *
 * @throws VALIDATION_ERROR when the endpoint does not exist or is not active
 */
export async function resendSince(ctx: WriteCtx, { endpoint_id, since }: ResendSince): Promise<ResendSummary> {
  // Deliveries do not use the test clock (docs/rules/platform.md#test-clock).
  const now = toInstant(ctx.services.clock.now());
  // Locks the endpoint, so that concurrent calls do not create the same deliveries twice.
  const endpoint = await lockRow(
    ctx,
    'webhook_endpoint',
    ctx.db
      .selectFrom('webhook_endpoint')
      .select(['active', 'event_types', 'livemode'])
      .where('id', '=', endpoint_id)
      .where('account_id', '=', ctx.accountId)
      .where(isVisibleTo(ctx, 'webhook_endpoint'))
      .where('deleted_at', 'is', null),
  );
  if (!endpoint) throw invalid('endpoint_id', noSuch('webhook endpoint'), 'not_found');
  if (!endpoint.active) throw invalid('endpoint_id', WEBHOOK_REASONS.endpoint_inactive, 'endpoint_inactive');
  const { rows } = await sql<ResendSummary>`
    with wanted as materialized (
      select event.id,
        (select delivery.id from webhook_delivery delivery
          where delivery.event_id = event.id and delivery.endpoint_id = ${endpoint_id} and delivery.status = 'pending' limit 1) as pending_id
      from event
      where event.account_id = ${ctx.accountId} and event.occurred_at >= ${since}::timestamptz and not event.is_test
        and (${endpoint.livemode}::boolean is null or event.livemode = ${endpoint.livemode}::boolean) and ${isVisibleTo(ctx, 'event')}
        and ${subscribes(sql`${endpoint.event_types}::text[]`, sql`event.type`)}
        and not exists (select from webhook_delivery delivery
          where delivery.event_id = event.id and delivery.endpoint_id = ${endpoint_id} and delivery.status = 'succeeded')
    ), created as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', ${now}::timestamptz), ${ctx.accountId}, ${endpoint_id}, id, ${now}::timestamptz, ${ctx.now}::timestamptz
      from wanted where pending_id is null order by id
      returning id
    ), retried as (
      update webhook_delivery delivery set retry_requested_at = coalesce(delivery.retry_requested_at, ${now}::timestamptz)
      from wanted where delivery.id = wanted.pending_id and delivery.next_attempt_at > ${now}::timestamptz
      returning delivery.id
    )
    select (select count(*) from created)::int as created_count, (select count(*) from retried)::int as retried_count`.execute(
    ctx.db,
  );
  ctx.afterCommit(() => ctx.services.jobs.send('webhooks', [endpoint_id]));
  return rows[0]!;
}

/** `sequence` of a test event, which is not among the events of the account. */
const NO_SEQUENCE = 0;

/**
 * Sends a sample event of the endpoint's first subscribed type, marked `"test": true`, in one attempt. Works for inactive endpoints, too.
 * Other endpoints do not receive it.
 *
 * @throws NOT_FOUND
 */
export async function sendTest(ctx: WriteCtx, { id }: { id: string }): Promise<WebhookDeliveryDetail> {
  const endpoint = await loadLiveEndpoint(ctx, id);
  const type = typesOf(endpoint.event_types[0]!)[0]!;
  const eventId = newId('event', ctx.clock.now());
  const deliveryId = newId('delivery', ctx.clock.now());
  const data = sampleEventData(type, ctx.now);
  await ctx.db
    .insertInto('event')
    .values({
      id: eventId,
      account_id: ctx.accountId,
      sequence: NO_SEQUENCE,
      type,
      subject_id: data.id,
      body: JSON.stringify({
        id: eventId,
        type,
        api_version: EVENT_API_VERSION,
        sequence: NO_SEQUENCE,
        occurred_at: ctx.now,
        actor: actorOf(ctx.principal),
        subject_id: data.id,
        test: true,
        data,
      }),
      is_test: true,
      occurred_at: ctx.now,
    })
    .execute();
  await ctx.db
    .insertInto('webhook_delivery')
    .values({
      id: deliveryId,
      account_id: ctx.accountId,
      endpoint_id: id,
      event_id: eventId,
      status: 'pending',
      attempts: 0,
      schedule_step: 0,
      next_attempt_at: null,
      retry_requested_at: ctx.now,
      completed_at: null,
      created_at: ctx.now,
    })
    .execute();
  ctx.afterCommit(() => ctx.services.jobs.send('webhooks', [id]));
  return getWebhookDelivery(ctx, deliveryId);
}

/**
 * Cancels deliveries that were created while their endpoint was being deleted, because the deletion did not see them. Returns their
 * number.
 *
 * @throws the error of a delivery that cannot be canceled, after all others have been canceled
 */
export async function cancelOrphanedDeliveries(services: Services): Promise<number> {
  const db = services.database.kysely;
  const now = toInstant(services.clock.now());
  const isOrphaned = sql`endpoint.deleted_at is not null and delivery.endpoint_id = endpoint.id and delivery.next_attempt_at is not null`;
  const left = new Leftovers();
  const { rows } = await changeApart(
    services,
    {
      table: 'webhook_delivery',
      find: () => sql`select delivery.id as name from webhook_delivery delivery, webhook_endpoint endpoint where ${isOrphaned}`,
      name: sql`delivery.id`,
      change: async (_, isWanted) => {
        const canceled = await sql<{ id: string }>`
          update webhook_delivery delivery set status = 'canceled', next_attempt_at = null, completed_at = ${now}::timestamptz
          from webhook_endpoint endpoint where ${isOrphaned} and ${isWanted} returning delivery.id`.execute(db);
        return canceled.rows;
      },
    },
    left,
  );
  left.throwCause();
  return rows.length;
}
