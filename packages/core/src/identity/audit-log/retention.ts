import { sql } from 'kysely';
import { firstIdAt } from '../../platform/wire/ids.ts';
import type { Services } from '../../platform/call/context.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** A full business year and the time to close its books, and no longer: arguments may hold what people are called and how to reach them. */
const KEPT_DAYS = 400;
/** Rows per statement: each locks and logs little, so that assistants go on beside it. */
const BATCH = 1_000;

/**
 * Drops entries of the audit log that are older than 400 days (docs/decisions/0042).
 *
 * @param mustStop asked between batches
 * @returns how many
 */
export async function forgetOldAuditEntries(
  { database, clock }: Services,
  mustStop: () => boolean = () => false,
): Promise<number> {
  // An id begins with the time of its making, and is the primary key: no index of its own is needed.
  const before = firstIdAt('audit_entry', new Date(plusDays(toInstant(clock.now()), -KEPT_DAYS)));
  let total = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from audit_log where id in (select id from audit_log where id < ${before} order by id limit ${BATCH})`.execute(
      database.kysely,
    );
    const dropped = Number(numAffectedRows ?? 0);
    total += dropped;
    if (dropped < BATCH || mustStop()) return total;
  }
}
