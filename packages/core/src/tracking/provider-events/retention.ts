import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** Longer than the provider itself keeps an event (30 days): an event deleted here cannot be delivered again. */
const KEPT_DAYS = 90;

/** At most this many at a time, so that no transaction gets long; the next sweep goes on. */
const BATCH = 10_000;

/** Deletes processed events of the payment provider that are older than 90 days, and the personal data in them. Returns how many. */
export async function purgePspEvents({ database, clock }: Services): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  const { numAffectedRows } = await sql`
    delete from psp_event where (account_id, psp_event_id) in (
      select account_id, psp_event_id from psp_event
      where state <> 'pending' and received_at < ${before}::timestamptz order by received_at limit ${BATCH})`.execute(
    database.kysely,
  );
  return Number(numAffectedRows ?? 0);
}
