import { type Selectable, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { openSecretHeaders } from '../endpoints/webhook-endpoint.ts';
import type { AttemptTrigger } from './webhook-delivery.ts';

/** Data that the worker needs to schedule an endpoint. */
export interface DueEndpoint {
  id: string;
  account_id: string;
  /** True if attempts have failed since the last success. The receiver may then be slow to respond. */
  failing: boolean;
}

export interface DueDelivery {
  id: string;
  event_type: string;
  /** True for an event that a person made with sample data, to try the endpoint. */
  is_test: boolean;
  trigger: AttemptTrigger;
  /** Attempts made before this one. */
  attempts: number;
  schedule_step: number;
  retry_requested_at: Instant | null;
  body: string;
}

/** An endpoint and its due deliveries, with all data that the attempts need, so that they do not read the database. */
export interface DueRound {
  endpoint: {
    id: string;
    url: string;
    signing_secrets: string[];
    /** Values of the headers that the receiver asks for, by name. */
    secret_headers: Record<string, string>;
    failing_since: Instant | null;
    last_success_at: Instant | null;
  };
  deliveries: DueDelivery[];
}

/** The endpoints with due deliveries, and the time at which the next other delivery falls due. */
export interface DueEndpoints {
  due: DueEndpoint[];
  /** Milliseconds until the next delivery falls due. Null if none is waiting. */
  nextInMs: number | null;
}

/** Finds endpoints with due deliveries. At an inactive endpoint, only attempts requested by hand are due. */
export async function findDueEndpoints({ database, clock }: Services): Promise<DueEndpoints> {
  const now = clock.now();
  const at = toInstant(now);
  // An endpoint with due deliveries may have others that fall due soon.
  const { rows } = await sql<DueEndpoint & { is_due: boolean; later_at: Instant | null }>`
    select id, account_id, failing_since is not null as failing, is_due, later_at
    from webhook_endpoint endpoint cross join lateral (
      select exists (select from webhook_delivery where endpoint_id = endpoint.id and retry_requested_at is not null) or (
          active and exists (select from webhook_delivery where endpoint_id = endpoint.id and next_attempt_at <= ${at}::timestamptz)
        ) as is_due,
        case when active then (
          select min(next_attempt_at) from webhook_delivery where endpoint_id = endpoint.id and next_attempt_at > ${at}::timestamptz
        ) end as later_at
    ) next
    where deleted_at is null and (is_due or later_at is not null)`.execute(database.kysely);
  const later = rows.flatMap(({ later_at }) => (later_at === null ? [] : [Date.parse(later_at) - now.getTime()]));
  return { due: rows.filter(({ is_due }) => is_due), nextInMs: later.length === 0 ? null : Math.min(...later) };
}

/** Finds those of the endpoints that have due deliveries. */
export function findDueOf(services: Services, ids: readonly string[]): Promise<{ id: string }[]> {
  return dueOf(services.database.kysely, { ids: [...ids], now: toInstant(services.clock.now()) });
}

const dueOf = prepared(
  (_db, { ids, now }: { ids: string[]; now: Instant }) => sql<{ id: string }>`
    select id from webhook_endpoint endpoint
    where id = any (${ids}) and deleted_at is null and (
      (active and exists (select from webhook_delivery where endpoint_id = endpoint.id and next_attempt_at <= ${now}::timestamptz))
      or exists (select from webhook_delivery where endpoint_id = endpoint.id and retry_requested_at is not null)
    )`,
);

/** Finds endpoints by id, except deleted ones. */
export function findEndpoints(services: Services, ids: readonly string[]): Promise<DueEndpoint[]> {
  return services.database.kysely
    .selectFrom('webhook_endpoint')
    .where(oneOf('id', ids))
    .where('deleted_at', 'is', null)
    .select(({ eb }) => ['id', 'account_id', eb('failing_since', 'is not', null).$castTo<boolean>().as('failing')])
    .execute();
}

declare const LOCKED: unique symbol;

/** Proof that this process alone attempts an endpoint's deliveries, as long as it holds the lock. */
export interface EndpointLock {
  readonly endpointId: string;
  readonly [LOCKED]: true;
}

/** Makes the value that proves the lock. Only for the code that takes the lock. */
export function lockedEndpoint(endpointId: string): EndpointLock {
  return { endpointId } as EndpointLock;
}

/** A request for the due deliveries of one endpoint. */
export interface DueRequest {
  lock: EndpointLock;
  limit: number;
  /** Ids of deliveries that the caller is already attempting. */
  except: readonly string[];
}

/**
 * Returns the due deliveries of several endpoints, one result per request. Within an endpoint, attempts requested by hand come first, then the
 * deliveries that have waited longest. One worker at a time holds an endpoint's lock, so deliveries are not marked as taken, and nothing has to be
 * cleaned up when a worker dies.
 *
 * @returns in the order of the requests; null for an endpoint that does not exist; the error for one whose secret cannot be read
 */
export async function takeDueRounds(services: Services, requests: readonly DueRequest[]): Promise<(DueRound | null | Error)[]> {
  const now = toInstant(services.clock.now());
  const wanted = requests.map(({ lock, limit, except }) => ({ endpoint_id: lock.endpointId, most: limit, skipped: except }));
  const rows = await dueDeliveries(services.database.kysely, { wanted: JSON.stringify(wanted), now });
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  return requests.map(({ lock: { endpointId } }) => {
    const found = byEndpoint.get(endpointId);
    if (!found) return null;
    const { url, failing_since, last_success_at } = found[0]!;
    try {
      const signing_secrets = signingSecrets(services, found[0]!, now);
      const secret_headers = openSecretHeaders(services, found[0]!);
      return {
        endpoint: { id: endpointId, url, signing_secrets, secret_headers, failing_since, last_success_at },
        deliveries: found.filter((row) => row.id !== null),
      };
    } catch (err) {
      return new Error(`The secret of the endpoint ${endpointId} cannot be read.`, { cause: err });
    }
  });
}

type Sealed = Pick<
  Tables['webhook_endpoint'],
  'sealed_headers' | 'sealed_secret' | 'sealed_previous_secret' | 'previous_secret_expires_at'
>;
type DueRow = Selectable<Sealed> &
  Pick<DueRound['endpoint'], 'url' | 'failing_since' | 'last_success_at'> & { endpoint_id: string } & (
    | DueDelivery
    | { id: null }
  );

/**
 * Finds due deliveries, each with its endpoint. Lateral joins keep the order of the inner query. An endpoint without due deliveries has one row,
 * without a delivery.
 *
 * `offset 0` makes PostgreSQL look up each record by its index. Otherwise a cached plan, made while the tables were nearly empty, would read
 * whole tables until autovacuum has counted their rows.
 */
const dueDeliveries = prepared((_db, { wanted, now }: { wanted: string; now: Instant }) => {
  const columns = sql.raw('id, event_id, attempts, schedule_step, retry_requested_at, next_attempt_at');
  return sql<DueRow>`
    select wanted.endpoint_id, endpoint.url, endpoint.failing_since, endpoint.last_success_at, endpoint.sealed_headers, endpoint.sealed_secret,
      endpoint.sealed_previous_secret, endpoint.previous_secret_expires_at, due.*
    from json_to_recordset(${wanted}::json) as wanted (endpoint_id text, most int, skipped text[])
    cross join lateral (
      select * from webhook_endpoint where id = wanted.endpoint_id and deleted_at is null offset 0
    ) endpoint
    left join lateral (
      select delivery.id, event.type as event_type, event.is_test, delivery.trigger, delivery.attempts, delivery.schedule_step,
        delivery.retry_requested_at, event.body
      from (
        select * from (
          (select ${columns}, 'manual' as trigger, 0 as rank from webhook_delivery
            where endpoint_id = wanted.endpoint_id and retry_requested_at is not null and id <> all (wanted.skipped)
            order by retry_requested_at limit wanted.most)
          union all
          (select ${columns}, 'schedule' as trigger, 1 as rank from webhook_delivery
            where endpoint_id = wanted.endpoint_id and next_attempt_at <= ${now}::timestamptz and retry_requested_at is null
              and endpoint.active and id <> all (wanted.skipped)
            order by next_attempt_at limit wanted.most)
        ) either
        order by rank limit wanted.most
      ) delivery
      cross join lateral (select type, is_test, body from event where id = delivery.event_id offset 0) event
      order by delivery.rank, delivery.next_attempt_at, delivery.event_id
    ) due on true`;
});

/** Returns the secrets to sign with. After a rotation, they include the previous secret until it expires. */
function signingSecrets({ secrets }: Services, endpoint: Selectable<Sealed>, now: Instant): string[] {
  const previousIsValid = endpoint.previous_secret_expires_at !== null && endpoint.previous_secret_expires_at > now;
  const sealed = [endpoint.sealed_secret, previousIsValid ? endpoint.sealed_previous_secret : null];
  return sealed.filter((secret) => secret !== null).map((secret) => secrets.open(secret));
}
