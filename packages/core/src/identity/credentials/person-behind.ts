import type { Ctx } from '../../platform/call/context.ts';

/**
 * Returns the id of the person who acts: the signed-in one, or the maker of the key or the connector. Null for keys that the operator of the
 * installation made, and for the service itself.
 */
export async function personBehind({ db, principal }: Pick<Ctx, 'db' | 'principal'>): Promise<string | null> {
  if (principal.kind === 'session') return principal.user_id;
  if (principal.kind !== 'api_key' && principal.kind !== 'connector') return null;
  const credential = db.selectFrom(principal.kind).select('created_by').where('account_id', '=', principal.account_id);
  return (await credential.where('id', '=', principal.id).executeTakeFirst())?.created_by ?? null;
}
