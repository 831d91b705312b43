import { createHash } from 'node:crypto';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type Identity, keyOf } from '../customer-identities/customer-identity.ts';
import './erasure.tables.ts';

/** Remembers the identities of a customer who is erased, as hashes. */
export async function rememberErased(ctx: WriteCtx, identities: readonly Identity[]): Promise<void> {
  if (identities.length === 0) return;
  const rows = identities.map((identity) => ({
    account_id: ctx.accountId,
    hash: hashOf(ctx.accountId, identity),
    is_address: identity.kind === 'email',
    erased_at: ctx.now,
  }));
  await ctx.db
    .insertInto('erased_identity')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['account_id', 'hash']).doUpdateSet({ erased_at: ctx.now }))
    .execute();
}

/**
 * Reports whether a fact of the payment provider is about an erased customer: it has an ID of the customer, or has an address of the customer and is
 * older than the erasure. A later fact with the address only is about a person who came back.
 */
export async function isOfErased(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  identities: readonly Identity[],
  at: Instant,
): Promise<boolean> {
  if (identities.length === 0) return false;
  const hashes = identities.map((identity) => hashOf(accountId, identity));
  const row = await db
    .selectFrom('erased_identity')
    .select('hash')
    .where('account_id', '=', accountId)
    .where(oneOf('hash', hashes))
    .where((eb) => eb.or([eb('is_address', '=', false), eb('erased_at', '>=', at)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function hashOf(accountId: string, identity: Identity): string {
  return createHash('sha256')
    .update(`${accountId} ${keyOf(identity)}`)
    .digest('base64url');
}
