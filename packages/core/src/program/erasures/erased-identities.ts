import { createHash } from 'node:crypto';
import { type RawBuilder, sql, type ColumnType } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type Identity, keyOf } from '../customer-identities/customer-identity.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** The erasure of a person's data. The record itself is erased in the transaction that creates the row; copies elsewhere are erased afterwards. */
    erasure: {
      id: string;
      account_id: string;
      kind: 'customer' | 'affiliate';
      subject_id: string;
      /** The words for which copies are searched, as JSON (`Sought`). Null once the erasure is completed. */
      sealed_sought: string | null;
      created_at: Instant;
      completed_at: Instant | null;
      /** Places of texts that may name the person, for a person to decide. */
      to_review: ColumnType<{ table: string; id: string; field: string }[], string, string>;
    };
    /** An identity of an erased customer, as a hash, by which events of the payment provider about that customer are recognized. */
    erased_identity: {
      account_id: string;
      hash: string;
      /** True for an email address, false for an ID. */
      is_address: boolean;
      erased_at: Instant;
    };
  }
}

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

/** Something that is said of a customer, and the time of that. */
interface SaidOf {
  identities: readonly Identity[];
  at: Instant;
}

/**
 * Reports for each fact of the payment provider whether it is about an erased customer: it has an ID of the customer, or has an address of the customer
 * and is older than the erasure. A later fact with the address only is about a person who came back.
 */
export async function areOfErased(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  facts: readonly SaidOf[],
): Promise<boolean[]> {
  const hashes = facts.map(({ identities }) => identities.map((identity) => hashOf(accountId, identity)));
  if (hashes.flat().length === 0) return facts.map(() => false);
  const rows = await db
    .selectFrom('erased_identity')
    .select(['hash', 'is_address', 'erased_at'])
    .where('account_id', '=', accountId)
    .where(oneOf('hash', hashes.flat()))
    .execute();
  const erased = new Map(rows.map((row) => [row.hash, row]));
  return facts.map(({ at }, place) =>
    hashes[place]!.some((hash) => {
      const row = erased.get(hash);
      return row !== undefined && (!row.is_address || row.erased_at >= at);
    }),
  );
}

/** SQL condition: none of these identities is that of an erased customer. */
export function noneErased(accountId: string, all: readonly Identity[]): RawBuilder<boolean> {
  const hashes = all.map((identity) => hashOf(accountId, identity));
  return sql<boolean>`not exists (select from erased_identity where account_id = ${accountId} and hash = any (${hashes}::text[]))`;
}

function hashOf(accountId: string, identity: Identity): string {
  return createHash('sha256')
    .update(`${accountId} ${keyOf(identity)}`)
    .digest('base64url');
}
