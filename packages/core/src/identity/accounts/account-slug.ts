import { advisoryLocks } from '../../platform/call/advisory-lock.ts';
import type { Db } from '../../platform/db/database.ts';
import { slugify } from '../../platform/wire/slug.ts';

/** A free slug from the name of an account: with the end of its id, which nobody else has, when the name alone is taken. */
export async function freeAccountSlug(db: Db, name: string, accountId: string): Promise<string> {
  const base = slugify(name);
  // Accounts of one name that are created at the same time take turns; they have no account in common whose lock it could be.
  await advisoryLocks({ db, accountId: 'all accounts' }, [`slug ${base}`]);
  const taken =
    base === '' || (await db.selectFrom('account').select('id').where('slug', '=', base).executeTakeFirst()) !== undefined;
  return taken ? `${base || 'program'}-${accountId.slice(-8)}` : base;
}
