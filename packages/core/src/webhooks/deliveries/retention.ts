import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';

/** Days that attempts are kept (docs/rules/platform.md#retention). */
const ATTEMPTS_KEPT_DAYS = 30;
const EVENTS_KEPT_DAYS = 90;

/** Deletes attempts older than 30 days, oldest first. Returns the number deleted. */
export function purgeWebhookAttempts(services: Services, mustStop?: MustStop): Promise<number> {
  const before = daysAgo(services, ATTEMPTS_KEPT_DAYS);
  const isOver = sql<boolean>`started_at < ${before}::timestamptz`;
  return purge(services.database.kysely, { table: 'webhook_attempt', isOver, order: 'started_at' }, mustStop);
}

/** Deletes events older than 90 days, oldest first, together with their deliveries. Returns the number of deleted events. */
export function purgeEvents(services: Services, mustStop?: MustStop): Promise<number> {
  // The time in an event's id is never earlier than the event (`eventsOfSource`), so no event is deleted too early.
  const before = firstIdAt('event', new Date(daysAgo(services, EVENTS_KEPT_DAYS)));
  return purge(services.database.kysely, { table: 'event', isOver: sql`id < ${before}`, order: 'id' }, mustStop);
}

function daysAgo({ clock }: Services, days: number): Instant {
  return plusDays(toInstant(clock.now()), -days);
}

/**
 * Cancels deliveries that were created while their endpoint was being deleted, because the deletion did not see them. Returns their
 * number.
 */
export async function cancelOrphanedDeliveries({ database, clock }: Services): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery delivery set status = 'canceled', next_attempt_at = null, completed_at = ${toInstant(clock.now())}::timestamptz
    from webhook_endpoint endpoint
    where endpoint.deleted_at is not null and delivery.endpoint_id = endpoint.id and delivery.next_attempt_at is not null`.execute(
    database.kysely,
  );
  return Number(numAffectedRows ?? 0);
}
