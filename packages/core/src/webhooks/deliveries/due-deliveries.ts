import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { AttemptTrigger } from './webhook-delivery.tables.ts';
import { oneOf } from '../../platform/db/one-of.ts';

/** Data of an endpoint by which the worker schedules it. */
export interface DueEndpoint {
  id: string;
  account_id: string;
  /** True when its last attempts failed. Such a receiver may be slow to respond. */
  failing: boolean;
}

export interface DueDelivery {
  id: string;
  event_type: string;
  trigger: AttemptTrigger;
  /** Attempts made before this one. */
  attempts: number;
  schedule_step: number;
  retry_requested_at: Instant | null;
  body: string;
}

/** An endpoint and its due deliveries, with all data that an attempt needs without the database. */
export interface DueRound {
  endpoint: {
    id: string;
    url: string;
    signing_secrets: string[];
    failing_since: Instant | null;
    last_success_at: Instant | null;
  };
  deliveries: DueDelivery[];
}

/** Finds endpoints with due deliveries. For inactive ones only attempts requested by hand are due. */
export async function findDueEndpoints(services: Services): Promise<DueEndpoint[]> {
  const now = toInstant(services.clock.now());
  const { rows } = await sql<DueEndpoint>`
    select id, account_id, failing_since is not null as failing
    from webhook_endpoint endpoint
    where deleted_at is null and (
      (active and exists (select from webhook_delivery where endpoint_id = endpoint.id and next_attempt_at <= ${now}::timestamptz))
      or exists (select from webhook_delivery where endpoint_id = endpoint.id and retry_requested_at is not null)
    )`.execute(services.database.kysely);
  return rows;
}

/** Finds those of the endpoints that exist. */
export function findEndpoints(services: Services, ids: readonly string[]): Promise<DueEndpoint[]> {
  return services.database.kysely
    .selectFrom('webhook_endpoint')
    .where(oneOf('id', ids))
    .where('deleted_at', 'is', null)
    .select(({ eb }) => ['id', 'account_id', eb('failing_since', 'is not', null).$castTo<boolean>().as('failing')])
    .execute();
}

/**
 * Returns the due deliveries of an endpoint: those requested by hand first, then those that have waited longest. The caller holds the
 * endpoint's lock (one worker at a time), so deliveries are not marked as taken, and a worker that dies leaves no trace.
 *
 * @returns null when the endpoint does not exist
 */
export async function takeDueRound(services: Services, endpointId: string, limit: number): Promise<DueRound | null> {
  const { database, clock, secrets } = services;
  const now = toInstant(clock.now());
  const endpoint = await database.kysely
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!endpoint) return null;
  const { rows } = await sql<DueDelivery>`
    with retry as (
      select id from webhook_delivery where endpoint_id = ${endpointId} and retry_requested_at is not null
      order by retry_requested_at limit ${limit}
    ), scheduled as (
      select id from webhook_delivery where endpoint_id = ${endpointId} and next_attempt_at <= ${now}::timestamptz and ${endpoint.active}
      order by next_attempt_at limit ${limit}
    ), due as (
      select id, 'manual' as trigger, 0 as rank from retry
      union all
      select id, 'schedule' as trigger, 1 as rank from scheduled where id not in (select id from retry)
      order by rank limit ${limit}
    )
    select delivery.id, event.type as event_type, due.trigger, delivery.attempts, delivery.schedule_step, delivery.retry_requested_at, event.body
    from due join webhook_delivery delivery on delivery.id = due.id join event on event.id = delivery.event_id
    order by due.rank, delivery.next_attempt_at, delivery.id`.execute(database.kysely);
  const previousIsValid = endpoint.previous_secret_expires_at !== null && endpoint.previous_secret_expires_at > now;
  const sealed = [endpoint.sealed_secret, previousIsValid ? endpoint.sealed_previous_secret : null];
  const signing_secrets = sealed.filter((secret) => secret !== null).map((secret) => secrets.open(secret));
  const { id, url, failing_since, last_success_at } = endpoint;
  return { endpoint: { id, url, signing_secrets, failing_since, last_success_at }, deliveries: rows };
}
