import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { WAITS } from './retry-schedule.ts';

/**
 * After the clock was ahead and was set back, brings forward the deliveries whose next attempt is farther away than a wait of their step, so that none waits for
 * longer than its back-off. Attempts and deliveries in the future show that the clock was ahead.
 *
 * @returns the number of deliveries that were brought forward
 */
export async function bringDeliveriesForward({ database, clock }: Services): Promise<number> {
  const db = database.kysely;
  const now = toInstant(clock.now());
  const { rows } = await sql<{ latest: Instant | null }>`
    select greatest(
      (select max(started_at) from webhook_attempt),
      (select created_at from webhook_delivery order by id desc limit 1)) as latest`.execute(db);
  const latest = rows[0]?.latest ?? null;
  if (latest === null || latest <= now) return 0;
  const { numAffectedRows } = await sql`
    update webhook_delivery delivery
    set next_attempt_at = ${now}::timestamptz + wait.usual * interval '1 millisecond'
    from unnest(${WAITS.map(({ usual }) => usual)}::int8[], ${WAITS.map(({ longest }) => longest)}::int8[]) with ordinality wait (usual, longest, place)
    where delivery.schedule_step = wait.place - 1
      and delivery.next_attempt_at > ${now}::timestamptz + wait.longest * interval '1 millisecond'`.execute(db);
  return Number(numAffectedRows ?? 0);
}
