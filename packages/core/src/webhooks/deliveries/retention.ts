import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { changeApart } from '../../platform/db/claim.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
import { Leftovers } from '../../platform/sweeps/work-apart.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';

/** Days that attempts are kept (docs/rules/platform.md#retention). */
const ATTEMPTS_KEPT_DAYS = 30;
export const EVENTS_KEPT_DAYS = 90;

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
      find: async () => {
        const found = await sql<{ id: string }>`
          select delivery.id from webhook_delivery delivery, webhook_endpoint endpoint where ${isOrphaned}`.execute(db);
        return found.rows.map(({ id }) => id);
      },
      change: async (ids) => {
        const isWanted = ids === null ? sql`true` : sql`delivery.id = any (${ids}::text[])`;
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
