import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { serviceLock } from '../../platform/call/locks.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { findLists, isFresh } from './lists/lists.ts';
import { keysOf } from './lists/names.ts';
import { type ReadList, readList, UnreadableList } from './lists/read-list.ts';
import { renewVersions, VERSIONS } from './screen-affiliates.ts';

/** Names that are inserted by one statement. */
const CHUNK = 5_000;

/** A list as the operator sees it. */
export interface LoadedList {
  list: string;
  list_date: string;
  names_count: number;
  loaded_at: string;
  /** False if it is too old, so that nobody is cleared before it is loaded again. */
  fresh: boolean;
}

export async function listScreeningLists({ database, clock }: Services): Promise<LoadedList[]> {
  const lists = await findLists({ db: database.kysely });
  return lists.map(({ digest: _, ...list }) => ({ ...list, fresh: isFresh(list, toInstant(clock.now())) }));
}

/**
 * Loads the file of an authority, which replaces its former version in one transaction. Affiliates are compared again from then on.
 *
 * @throws `UnreadableList` for a file that cannot be read, and for one that is older than the loaded one or has less than half of its names
 */
export async function loadScreeningList(services: Services, file: string): Promise<LoadedList> {
  const { list, list_date, entries } = await readList(file);
  const digest = createHash('sha256').update(file).digest('hex');
  const now = toInstant(services.clock.now());
  await services.database.transaction(async (db) => {
    await serviceLock(db, VERSIONS);
    const former = (await findLists({ db })).find((each) => each.list === list);
    if (former && former.list_date > list_date)
      throw new UnreadableList(`This file is of ${list_date}, but the loaded list is of ${former.list_date}.`);
    const names = entries.flatMap(namesOf);
    if (former && names.length * 2 < former.names_count)
      throw new UnreadableList(
        `This file has ${names.length} names, the loaded list ${former.names_count}. Remove the list first if that is right.`,
      );
    await db.deleteFrom('screening_list').where('list', '=', list).execute();
    await db
      .insertInto('screening_list')
      .values({ list, list_date, digest, names_count: names.length, loaded_at: now })
      .execute();
    for (let start = 0; start < names.length; start += CHUNK)
      await sql`
        insert into screening_name (list, entry, name, born, keys)
        select ${list}, entry, name, born, keys
        from jsonb_to_recordset(${JSON.stringify(names.slice(start, start + CHUNK))}::jsonb) row (entry text, name text, born text, keys text[])`.execute(
        db,
      );
    await renewVersions({ db, now });
  });
  services.jobs.send('payout_screenings');
  return (await listScreeningLists(services)).find((each) => each.list === list)!;
}

function namesOf({ entry, names, born }: ReadList['entries'][number]) {
  return names.map((name) => ({ entry, name, born, keys: keysOf(name) }));
}

/** Removes a list. Returns false if it is not loaded. */
export async function removeScreeningList(services: Services, list: string): Promise<boolean> {
  const removed = await services.database.transaction(async (db) => {
    await serviceLock(db, VERSIONS);
    const { numDeletedRows } = await db.deleteFrom('screening_list').where('list', '=', list).executeTakeFirstOrThrow();
    await renewVersions({ db, now: toInstant(services.clock.now()) });
    return numDeletedRows > 0n;
  });
  services.jobs.send('payout_screenings');
  return removed;
}
