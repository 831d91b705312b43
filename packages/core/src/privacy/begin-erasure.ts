import { sql } from 'kysely';
import { recordAuditedChange } from '../platform/audit-log/audit-entry.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { newId } from '../platform/wire/ids.ts';
import type { Sought } from '../program/erasures/personal-data.ts';
import type { Erased } from './erasure.schema.ts';

/**
 * Stores that the copies of a person's data have to be erased, in the transaction that erases the record. A job erases the copies after the commit
 * (`finish-erasures.ts`).
 */
export async function beginErasure(
  ctx: WriteCtx,
  { kind, id, sought }: { kind: 'customer' | 'affiliate'; id: string; sought: Sought },
): Promise<Erased> {
  const kept = await othersWith(ctx, { kind, id, sought });
  // An address that somebody else has too is not searched for, because it is that person's data.
  const searched = kept.length === 0 ? sought : { ...sought, addresses: [] };
  await ctx.db
    .insertInto('erasure')
    .values({
      id: newId('erasure', ctx.clock.now()),
      account_id: ctx.accountId,
      kind,
      subject_id: id,
      sealed_sought: ctx.services.secrets.seal(JSON.stringify(searched)),
      created_at: ctx.now,
      completed_at: null,
    })
    .execute();
  // Writes of members and assistants are in the audit log anyway.
  if (ctx.principal.kind === 'api_key') await recordAuditedChange(ctx, { tool: `${kind}s`, action: 'erase', arguments: { id } });
  ctx.afterCommit(() => ctx.services.jobs.send('erasures'));
  return { id, erased_at: ctx.now, completed_at: null, kept };
}

/** Finds other records of the account with one of the addresses. The erased record has none of them any more. */
async function othersWith(
  { db, accountId }: WriteCtx,
  { sought, id }: { kind: string; id: string; sought: Sought },
): Promise<Erased['kept']> {
  const { rows } = await sql<Erased['kept'][number]>`
    select 'customer' as kind, customer_id as id from customer_identity
      where account_id = ${accountId} and kind = 'email' and value = any (${[...sought.addresses]}::text[])
    union
    select 'affiliate', id from affiliate
      where account_id = ${accountId} and lower(email) = any (${[...sought.addresses]}::text[]) and id <> ${id}
    union
    select 'member', user_id from membership join auth_user on auth_user.id = user_id
      where account_id = ${accountId} and lower(email) = any (${[...sought.addresses]}::text[])
    order by 1, 2`.execute(db);
  return rows;
}

/** Returns the erasure of a record that was erased before, or null. */
export async function findErasure({ db, accountId }: WriteCtx, id: string): Promise<Erased | null> {
  const row = await db
    .selectFrom('erasure')
    .select(['created_at', 'completed_at'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { id, erased_at: row.created_at, completed_at: row.completed_at, kept: [] } : null;
}
