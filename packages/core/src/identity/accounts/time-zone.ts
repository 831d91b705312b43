import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
const NAME = /^[A-Z]\w+\/[\w/+-]+$/;

/**
 * True for the name of an IANA time zone, including former names, which some browsers report. False for an offset such as `+01:00`, because
 * offsets do not follow daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || (NAME.test(name) && Intl.supportedValuesOf('timeZone').includes(principalName(name) ?? ''));
}

/**
 * Returns the name in `known` that denotes the same zone as `name`, e.g. Asia/Kolkata for Asia/Calcutta. Null when `known` does not contain the
 * zone.
 */
export function findSameZone(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return name;
  const principal = NAME.test(name) ? principalName(name) : null;
  if (principal === null) return null;
  if (known.includes(principal)) return principal;
  return known.find((other) => NAME.test(other) && principalName(other) === principal) ?? null;
}

/** Returns Node's canonical name of a time zone, or null if Node does not know the zone. */
function principalName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

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
