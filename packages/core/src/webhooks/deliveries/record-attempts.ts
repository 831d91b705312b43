import { sql } from 'kysely';
import { type MemberLetter, tellMembers } from '../../identity/members/member-mails.ts';
import type { Services } from '../../platform/call/context.ts';
import { save } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import { lookUpByIndex } from '../../platform/db/planner.ts';
import { preparedWrite } from '../../platform/db/prepared.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { afterAttempts, FAILING_LIMIT_MS, type ReceiverHealth, WebhookEndpoint } from '../endpoints/webhook-endpoint.ts';
import { WEBHOOK_MAILS } from '../mail-texts.ts';
import type { DueDelivery, DueRound } from './due-deliveries.ts';
import { nextAttemptIn, parseRetryAfter } from './retry-schedule.ts';
import type { WebhookAttemptTable } from './webhook-delivery.ts';

/** A request to an endpoint, and its outcome. */
export interface AttemptOutcome extends Omit<WebhookAttemptTable, 'id' | 'delivery_id' | 'attempt' | 'trigger'> {
  delivery: DueDelivery;
}

/** Health of a receiver, as the worker last knew it. */
export type KnownHealth = Pick<DueRound['endpoint'], 'id' | 'failing_since' | 'last_success_at'>;

/** Outcomes of attempts to one endpoint. */
export interface AttemptedRound {
  endpoint: KnownHealth;
  outcomes: readonly AttemptOutcome[];
}

const GONE = 410;
/** `last_success_at` is updated only when it is at least this old, so that the endpoint's row is not written for every delivery. */
const LAST_SUCCESS_STEP_MS = 60_000;

/**
 * Records attempts to any number of endpoints. Updates all deliveries in one statement, then the endpoints whose health has changed.
 *
 * @returns the new health of each receiver, in the order of `rounds`
 */
export async function recordAttempts(services: Services, rounds: readonly AttemptedRound[]): Promise<KnownHealth[]> {
  const now = services.clock.now();
  const rows = rounds.flatMap(({ outcomes }) => outcomes.map((outcome) => attemptRow(outcome, now)));
  if (rows.length > 0) await writeAttempts(services, rows, toInstant(now));
  const shown = rounds.map(({ endpoint, outcomes }) => ({ endpoint, health: healthOf(outcomes) }));
  const healthy = shown.filter(
    ({ endpoint, health }) => health !== null && isHealthy(health) && changesEndpoint(endpoint, health, toInstant(now)),
  );
  await markHealthy(
    services.database.kysely,
    healthy.map(({ endpoint }) => endpoint.id),
    toInstant(now),
  );
  const known: KnownHealth[] = [];
  for (const { endpoint, health } of shown) {
    if (health === null) known.push(endpoint);
    else if (isHealthy(health))
      known.push(
        changesEndpoint(endpoint, health, toInstant(now))
          ? { ...endpoint, failing_since: null, last_success_at: toInstant(now) }
          : endpoint,
      );
    else known.push(await observeReceiver(services, endpoint, health));
  }
  return known;
}

/**
 * Returns what the outcomes say about the receiver; null if they say nothing. A test that fails does not make the endpoint count as failing,
 * because people test endpoints whose receivers are not ready.
 */
function healthOf(outcomes: readonly AttemptOutcome[]): ReceiverHealth | null {
  const telling = outcomes.filter(({ delivery, error_code }) => !delivery.is_test || error_code === null);
  if (telling.length === 0) return null;
  return {
    succeeded: telling.filter(({ error_code }) => error_code === null).length,
    gone: telling.some(({ response_status }) => response_status === GONE),
  };
}

function isHealthy({ succeeded, gone }: ReceiverHealth): boolean {
  return succeeded > 0 && !gone;
}

function attemptRow({ delivery, ...outcome }: AttemptOutcome, now: Date) {
  const retryAfter = parseRetryAfter(outcome.response_headers?.['retry-after'], now);
  const wait = nextAttemptIn(delivery.schedule_step + 1, retryAfter, Math.random());
  return {
    ...outcome,
    id: newId('attempt', now),
    delivery_id: delivery.id,
    attempt: delivery.attempts + 1,
    trigger: delivery.trigger,
    retry_requested_at: delivery.retry_requested_at,
    next_attempt_at: wait === null ? null : plusMilliseconds(toInstant(now), wait),
  };
}

/**
 * Writes attempts and updates their deliveries. If a delivery has succeeded, was canceled or was attempted by another worker in the
 * meantime, a failed attempt changes neither the delivery's status nor the time of the delivery's next attempt. An attempt requested by
 * hand does not change the schedule. If such an attempt fails and no scheduled attempt is left, the delivery has failed.
 */
async function writeAttempts(
  { database }: Services,
  attempts: readonly ReturnType<typeof attemptRow>[],
  now: Instant,
): Promise<void> {
  const values = { attempts: JSON.stringify(attempts), now };
  await database.transaction((db) => {
    lookUpByIndex(db);
    recordResults(db, values);
    return Promise.resolve();
  });
}

const recordResults = preparedWrite((_db, { attempts, now }: { attempts: string; now: Instant }) => {
  return sql`
    with result as materialized (
      select result.*,
        result.error_code is null as succeeded,
        result.trigger = 'manual' as manual,
        delivery.status = 'pending' and delivery.attempts = result.attempt - 1 as current
      from json_to_recordset(${attempts}::json) as result(
        id text, delivery_id text, attempt int, trigger text, started_at timestamptz, duration_ms int, request_headers jsonb,
        response_status int, response_headers jsonb, response_excerpt text, error_code text, next_attempt_at timestamptz,
        retry_requested_at timestamptz)
      join webhook_delivery delivery on delivery.id = result.delivery_id
    ), recorded as (
      insert into webhook_attempt (id, delivery_id, attempt, trigger, started_at, duration_ms, request_headers, response_status,
        response_headers, response_excerpt, error_code)
      select id, delivery_id, attempt, trigger, started_at, duration_ms, request_headers, response_status,
        response_headers, response_excerpt, error_code
      from result
    )
    update webhook_delivery delivery set
      attempts = delivery.attempts + 1,
      schedule_step = delivery.schedule_step + case when result.manual then 0 else 1 end,
      retry_requested_at = case when result.manual and delivery.retry_requested_at = result.retry_requested_at then null else delivery.retry_requested_at end,
      next_attempt_at = case
        when result.succeeded then null
        when result.current and not result.manual then result.next_attempt_at
        else delivery.next_attempt_at end,
      status = case
        when result.succeeded then 'succeeded'
        when result.current and case when result.manual then delivery.next_attempt_at else result.next_attempt_at end is null then 'failed'
        else delivery.status end,
      completed_at = case
        when result.succeeded then case when delivery.status = 'succeeded' then delivery.completed_at else ${now}::timestamptz end
        when result.current and case when result.manual then delivery.next_attempt_at else result.next_attempt_at end is null then ${now}::timestamptz
        else delivery.completed_at end
    from result where delivery.id = result.delivery_id`;
});

/** Does what `afterAttempts` does after a success, for many endpoints at once. */
async function markHealthy(db: Db, endpointIds: readonly string[], now: Instant): Promise<void> {
  if (endpointIds.length === 0) return;
  await sql`
    update webhook_endpoint endpoint set last_success_at = ${now}::timestamptz, failing_since = null
    from (select id from webhook_endpoint where id = any (${endpointIds}) order by id for no key update) locked
    where endpoint.id = locked.id`.execute(db);
}

async function observeReceiver(services: Services, known: KnownHealth, health: ReceiverHealth): Promise<KnownHealth> {
  const { database, clock } = services;
  const now = toInstant(clock.now());
  if (!changesEndpoint(known, health, now)) return known;
  let reported = false;
  const result = await database.transaction(async (db) => {
    const record = await db
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('id', '=', known.id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!record) return known;
    const wasActive = record.active;
    save({ db }, WebhookEndpoint, record, afterAttempts(record, health, now));
    if (wasActive && !record.active) {
      await tellMembers({ services, db, accountId: record.account_id, now }, 'failing_endpoints', switchedOff(record));
      reported = true;
    }
    return { id: record.id, failing_since: record.failing_since, last_success_at: record.last_success_at };
  });
  if (reported) services.jobs.send('mail');
  return result;
}

function switchedOff({ id, name, disabled_reason }: WebhookEndpoint): (language: Language) => MemberLetter {
  const t = WEBHOOK_MAILS.switchedOff;
  return (language) => {
    const say = inLanguage(language);
    return {
      subject: say(t.subject),
      lines: [say(disabled_reason === 'gone' ? t.gone : t.failed, { name }), say(t.waiting)],
      link: { label: say(t.link), path: `/settings/webhooks/endpoints/${id}` },
    };
  };
}

/** Reports whether the outcome must be written to the endpoint's row. For a healthy receiver, that is at most once a minute. */
function changesEndpoint(known: KnownHealth, { succeeded, gone }: ReceiverHealth, now: Instant): boolean {
  if (gone) return true;
  if (succeeded > 0) {
    const stale = known.last_success_at === null || known.last_success_at <= plusMilliseconds(now, -LAST_SUCCESS_STEP_MS);
    return stale || known.failing_since !== null;
  }
  return known.failing_since === null || known.failing_since <= plusMilliseconds(now, -FAILING_LIMIT_MS);
}
