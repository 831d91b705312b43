import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** Days that attempts are kept (docs/domain-rules.md#retention). */
const ATTEMPTS_KEPT_DAYS = 30;
const EVENTS_KEPT_DAYS = 90;

/** Deletes attempts older than 30 days. Returns the number deleted. */
export function purgeWebhookAttempts(services: Services, mustStop?: MustStop): Promise<number> {
  return purgeOlderThan(services, 'webhook_attempt', 'started_at', ATTEMPTS_KEPT_DAYS, mustStop);
}

/** Deletes events older than 90 days, and their deliveries. Returns the number deleted. */
export function purgeEvents(services: Services, mustStop?: MustStop): Promise<number> {
  return purgeOlderThan(services, 'event', 'occurred_at', EVENTS_KEPT_DAYS, mustStop);
}

/** Deletes rows whose `time` is more than `days` ago, oldest first. Returns the number deleted. */
function purgeOlderThan(
  { database, clock }: Services,
  table: string,
  time: string,
  days: number,
  mustStop: MustStop | undefined,
): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -days);
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where ${sql.ref(time)} < ${before}::timestamptz order by ${sql.ref(time)} limit ${limit})`.execute(
      database.kysely,
    );
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}

/** Cancels deliveries that were created while their endpoint was being deleted: the deletion did not see them. Returns how many. */
export async function cancelOrphanedDeliveries({ database, clock }: Services): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery delivery set status = 'canceled', next_attempt_at = null, completed_at = ${toInstant(clock.now())}::timestamptz
    from webhook_endpoint endpoint
    where endpoint.deleted_at is not null and delivery.endpoint_id = endpoint.id and delivery.next_attempt_at is not null`.execute(
    database.kysely,
  );
  return Number(numAffectedRows ?? 0);
}
