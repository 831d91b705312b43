import { serviceLock } from '../../platform/call/locks.ts';
import type { Db } from '../../platform/db/database.ts';
import { slugify } from '../../platform/wire/slug.ts';

/**
 * Returns a free slug made from the account's name. If the name alone is taken, the end of the account's id is appended, which makes the slug
 * unique.
 */
export async function freeAccountSlug(db: Db, name: string, accountId: string): Promise<string> {
  const base = slugify(name);
  // Accounts of the same name that are created at the same time must wait for each other. They share no row to lock, so the lock is advisory.
  await serviceLock(db, `account slug ${base}`);
  const taken =
    base === '' || (await db.selectFrom('account').select('id').where('slug', '=', base).executeTakeFirst()) !== undefined;
  return taken ? `${base || 'program'}-${accountId.slice(-8)}` : base;
}
