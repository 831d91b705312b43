import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeInBatches } from '../../platform/db/purge-in-batches.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** Longer than the provider itself keeps an event (30 days): an event deleted here cannot be delivered again. */
const KEPT_DAYS = 90;

/** Deletes processed events of the payment provider that are older than 90 days, and the personal data in them. Returns how many. */
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
