import type { Db } from '../../platform/db/database.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    program_slug: ProgramSlugTable;
  }
}

/** A slug that an account has or had. A trigger adds the rows (docs/rules/program.md#links). */
interface ProgramSlugTable {
  slug: string;
  account_id: string;
}

/** Returns the id of the account that has this slug or had it before, or null. */
export async function accountOfSlug(db: Db, slug: string): Promise<string | null> {
  const row = await db.selectFrom('program_slug').select('account_id').where('slug', '=', slug.toLowerCase()).executeTakeFirst();
  return row?.account_id ?? null;
}
