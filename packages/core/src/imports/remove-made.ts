import { sql } from 'kysely';
import type { WriteCtx } from '../platform/call/context.ts';
import { confirmWrites } from '../platform/call/records.ts';
import { ID_PREFIXES, type RecordKind } from '../platform/wire/ids.ts';
import { removeReferrals } from '../program/referrals/referral.transitions.ts';

/**
 * Deletes records that an import made, with what belongs to them alone. Foreign keys keep those that earned or were used since: the statement then fails
 * (`isInUse`), and with it the transaction.
 */
export async function removeMade(tx: WriteCtx, ids: readonly string[]): Promise<void> {
  const { db, accountId } = tx;
  const of = (kind: RecordKind) => sql`any (${ids.filter((id) => id.startsWith(`${ID_PREFIXES[kind]}_`))}::text[])`;
  // The key of this column is not declared, for speed.
  const { rows } =
    await sql`select from commission where account_id = ${accountId} and referral_id = ${of('referral')} limit 1`.execute(db);
  if (rows.length > 0) throw new InUse();
  await sql`delete from attribution_claim where account_id = ${accountId} and referral_id = ${of('referral')}`.execute(db);
  await removeReferrals(tx, of('referral'));
  await sql`delete from customer_identity where account_id = ${accountId} and customer_id = ${of('customer')}`.execute(db);
  for (const kind of ['customer', 'link', 'affiliate', 'campaign'] as const)
    await sql`delete from ${sql.table(kind)} where account_id = ${accountId} and id = ${of(kind)}`.execute(db);
  await confirmWrites(tx);
}

class InUse extends Error {}

/** True if `removeMade` failed because a record is in use. */
export function isInUse(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof InUse || (each as { code?: unknown }).code === '23503') return true;
  return false;
}
