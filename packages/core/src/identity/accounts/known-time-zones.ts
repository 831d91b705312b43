import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { findSameZone } from './time-zone.ts';

const DEFAULT = 'UTC';

/**
 * Returns the name under which the database knows a time zone. The database may know fewer names than Node: PostgreSQL on Debian 13 lacks the
 * former names of zones. An unknown name must not be stored, because it would break statements that cover all accounts.
 *
 * @throws VALIDATION_ERROR for a zone that the database does not know
 */
export async function knownTimeZone(db: Db, name: string): Promise<string> {
  if (name === DEFAULT) return name;
  const known = findSameZone(name, await knownNames(db));
  if (known === null) throw invalid('time_zone', IDENTITY_REASONS.time_zone_unknown_to_database, 'unknown');
  return known;
}

/**
 * Replaces the accounts' time zones whose names the database does not know, e.g. after a move to another server. The replacement is another name
 * of the same zone or, if the database knows none, UTC. Returns the number of accounts changed.
 */
export async function replaceUnknownTimeZones({ database, log }: Pick<Services, 'database' | 'log'>): Promise<number> {
  const db = database.kysely;
  const { rows } = await sql<{ id: string; time_zone: string }>`
    select id, time_zone from account
    where time_zone <> ${DEFAULT} and not exists (select from pg_timezone_names where name = time_zone)`.execute(db);
  const names = rows.length > 0 ? await knownNames(db) : [];
  for (const { id, time_zone } of rows) {
    const known = findSameZone(time_zone, names) ?? DEFAULT;
    log.warn(
      { account_id: id, time_zone, replaced_by: known },
      'time zone of an account replaced, because the database does not know it',
    );
    await db.updateTable('account').set({ time_zone: known }).where('id', '=', id).where('time_zone', '=', time_zone).execute();
  }
  return rows.length;
}

async function knownNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names order by name`.execute(db);
  return rows.map(({ name }) => name);
}
