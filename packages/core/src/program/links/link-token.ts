import { randomBytes } from 'node:crypto';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { slugify } from '../../platform/wire/slug.ts';

const RANDOM_BYTES = 6;

/**
 * Returns a token that is free in the account. The token is made from the affiliate's name, with a number if the name is taken. It is
 * random if the campaign's tokens are private, or if the name yields no token. Concurrent calls get different tokens.
 */
export async function freeToken(
  ctx: WriteCtx,
  affiliate: { email: string; first_name: string | null; last_name: string | null },
  isPrivate: boolean,
): Promise<string> {
  const name = [affiliate.first_name, affiliate.last_name].filter(Boolean).join(' ') || affiliate.email.split('@')[0]!;
  const base = isPrivate ? '' : slugify(name).slice(0, 40);
  if (base === '') return randomToken();
  await advisoryLock(ctx, 'link token');
  const rows = await ctx.db
    .selectFrom('link')
    .select((select) => select.fn<string>('lower', ['token']).as('token'))
    .where('account_id', '=', ctx.accountId)
    .where((where) => where(where.fn('lower', ['token']), 'like', `${base}%`))
    .execute();
  const taken = new Set(rows.map(({ token }) => token));
  if (!taken.has(base)) return base;
  for (let number = 2; number <= taken.size + 1; number += 1) if (!taken.has(`${base}${number}`)) return `${base}${number}`;
  return randomToken();
}

function randomToken(): string {
  return randomBytes(RANDOM_BYTES).toString('hex');
}
