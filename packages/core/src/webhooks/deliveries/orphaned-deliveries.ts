import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { changeApart } from '../../platform/db/claim.ts';
import { Leftovers } from '../../platform/sweeps/work-apart.ts';
import { toInstant } from '../../platform/time/instant.ts';

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
