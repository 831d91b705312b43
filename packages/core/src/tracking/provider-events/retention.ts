import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/**
 * Days that processed events are kept. Longer than the provider keeps an event (30 days), so that it cannot deliver a deleted one again.
 */
const KEPT_DAYS = 90;

/**
 * Deletes processed events of the payment provider that are older than 90 days, with the personal data in them. Returns the number deleted.
 */
export function purgePspEvents({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  return purgeInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from psp_event where (account_id, psp_event_id) in (
        select account_id, psp_event_id from psp_event
        where state <> 'pending' and received_at < ${before}::timestamptz order by received_at limit ${limit})`.execute(
      database.kysely,
    );
    return Number(numAffectedRows ?? 0);
  }, mustStop);
}
