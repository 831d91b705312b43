import { type Selectable, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { Tables } from '../../platform/db/tables.ts';
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

/** Asks for due deliveries of one endpoint. */
export interface DueRequest {
  endpointId: string;
  limit: number;
  /** Deliveries that the caller attempts already. */
  except: readonly string[];
}

/**
 * Returns the due deliveries of several endpoints, in the order of the requests: those requested by hand first, then those that have waited
 * longest. The caller holds the endpoints' locks (one worker at a time), so deliveries are not marked as taken, and a worker that dies
 * leaves no trace.
 *
 * @returns null in place of an endpoint that does not exist
 */
export async function takeDueRounds(services: Services, requests: readonly DueRequest[]): Promise<(DueRound | null)[]> {
  const { database, clock } = services;
  const now = toInstant(clock.now());
  // Both read after the locks were taken. An endpoint that is deleted between them has deliveries of which none is due.
  const [endpoints, deliveries] = await Promise.all([
    database.kysely
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where(
        oneOf(
          'id',
          requests.map(({ endpointId }) => endpointId),
        ),
      )
      .where('deleted_at', 'is', null)
      .execute(),
    dueDeliveries(services, requests, now),
  ]);
  const records = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const byEndpoint = Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
  return requests.map(({ endpointId }) => {
    const record = records.get(endpointId);
    if (!record) return null;
    const { id, url, failing_since, last_success_at } = record;
    return {
      endpoint: { id, url, signing_secrets: signingSecrets(services, record, now), failing_since, last_success_at },
      deliveries: byEndpoint.get(endpointId) ?? [],
    };
  });
}

async function dueDeliveries(
  { database }: Services,
  requests: readonly DueRequest[],
  now: Instant,
): Promise<(DueDelivery & { endpoint_id: string })[]> {
  const wanted = requests.map(({ endpointId, limit, except }) => ({ endpoint_id: endpointId, most: limit, skipped: except }));
  const { rows } = await sql<DueDelivery & { endpoint_id: string }>`
    select wanted.endpoint_id, delivery.id, event.type as event_type, due.trigger, delivery.attempts, delivery.schedule_step,
      delivery.retry_requested_at, event.body
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (endpoint_id text, most int, skipped text[])
    join webhook_endpoint endpoint on endpoint.id = wanted.endpoint_id
    cross join lateral (
      select * from (
        (select id, 'manual' as trigger, 0 as rank from webhook_delivery
          where endpoint_id = wanted.endpoint_id and retry_requested_at is not null and id <> all (wanted.skipped)
          order by retry_requested_at limit wanted.most)
        union all
        (select id, 'schedule' as trigger, 1 as rank from webhook_delivery
          where endpoint_id = wanted.endpoint_id and next_attempt_at <= ${now}::timestamptz and retry_requested_at is null
            and endpoint.active and id <> all (wanted.skipped)
          order by next_attempt_at limit wanted.most)
      ) either
      order by rank limit wanted.most
    ) due
    join webhook_delivery delivery on delivery.id = due.id
    join event on event.id = delivery.event_id
    order by wanted.endpoint_id, due.rank, delivery.next_attempt_at, delivery.id`.execute(database.kysely);
  return rows;
}

/** The secrets to sign with: after a rotation, the previous one too until it expires. */
function signingSecrets({ secrets }: Services, endpoint: Selectable<Tables['webhook_endpoint']>, now: Instant): string[] {
  const previousIsValid = endpoint.previous_secret_expires_at !== null && endpoint.previous_secret_expires_at > now;
  const sealed = [endpoint.sealed_secret, previousIsValid ? endpoint.sealed_previous_secret : null];
  return sealed.filter((secret) => secret !== null).map((secret) => secrets.open(secret));
}
