import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';

/**
 * Number of days: a full business year plus the time to close its books. Not more, because the logged arguments of calls may contain people's names
 * and addresses.
 */
const KEPT_DAYS = 400;

/** Deletes entries of the audit log that are older than 400 days (docs/rules/platform.md#retention). Returns the number deleted. */
export function purgeAuditEntries({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  // Ids start with their creation time, so the primary key also finds rows by age.
  const before = firstIdAt('audit_entry', new Date(plusDays(toInstant(clock.now()), -KEPT_DAYS)));
  return purge(database.kysely, { table: 'audit_log', isOver: sql`id < ${before}`, order: 'id' }, mustStop);
}
