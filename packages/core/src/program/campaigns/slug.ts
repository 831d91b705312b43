import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { slugify } from '../../platform/wire/slug.ts';

/** Returns a free slug made from `name`. Adds a number if the plain slug is taken. Concurrent calls get different slugs. */
export async function freeSlug(ctx: WriteCtx, name: string): Promise<string> {
  await advisoryLock(ctx, 'campaign slug');
  const base = slugify(name) || 'campaign';
  const rows = await ctx.db
    .selectFrom('campaign')
    .select('slug')
    .where('account_id', '=', ctx.accountId)
    .where((where) => where.or([where('slug', '=', base), where('slug', 'like', `${base}-%`)]))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let number = 1; number <= taken.size + 1; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug)) return slug;
  }
  throw invalid('slug', 'Every slug derived from this name is taken. Enter a slug.');
}
