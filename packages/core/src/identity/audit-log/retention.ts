import { sql } from 'kysely';
import { firstIdAt } from '../../platform/wire/ids.ts';
import type { Services } from '../../platform/call/context.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';

/** A full business year plus the time to close its books, and no longer: arguments may hold names and addresses of people. */
const KEPT_DAYS = 400;
/** Rows per statement: a short statement does not hold up calls that write entries meanwhile. */
const BATCH = 1_000;

/**
 * Deletes entries of the audit log that are older than 400 days (docs/domain-rules.md#retention).
 *
 * @param mustStop asked between batches
 * @returns how many
 */
export async function purgeAuditEntries({ database, clock }: Services, mustStop: () => boolean = () => false): Promise<number> {
  // Ids start with their creation time, so the primary key serves as the index on age.
  const before = firstIdAt('audit_entry', new Date(plusDays(toInstant(clock.now()), -KEPT_DAYS)));
  let total = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from audit_log where id in (select id from audit_log where id < ${before} order by id limit ${BATCH})`.execute(
      database.kysely,
    );
    const purged = Number(numAffectedRows ?? 0);
    total += purged;
    if (purged < BATCH || mustStop()) return total;
  }
}
