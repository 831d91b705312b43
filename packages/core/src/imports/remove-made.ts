import { type RawBuilder, sql } from 'kysely';
import { lockAffiliates } from '../ledger/affiliate-lock.ts';
import { removeImportedCommissions } from '../ledger/commissions/commission.transitions.ts';
import { foldCountsSoon } from '../ledger/earning/book-commission.ts';
import { removeCommissions, removeEmptyPayouts, removePaidPayouts } from '../ledger/payouts/payout.transitions.ts';
import { queueSaleDecisions } from '../ledger/queued-decisions/queue-decisions.ts';
import { removeImportedSales } from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { confirmWrites } from '../platform/call/records.ts';
import { ID_PREFIXES, type RecordKind } from '../platform/wire/ids.ts';
import { removeReferrals } from '../program/referrals/referral.transitions.ts';
import type { ImportedKind } from './port/import.entity.ts';

type IdsOf = (kind: RecordKind) => RawBuilder<unknown>;

/**
 * Deletes records that an import made of rows of one kind, with what belongs to them alone. Foreign keys keep those that earned or were used since: the
 * statement then fails (`isInUse`), and with it the transaction.
 */
export async function removeMade(
  tx: WriteCtx,
  kind: ImportedKind,
  rows: readonly { id: string; made_ids: string[] }[],
): Promise<void> {
  const ids = rows.flatMap(({ made_ids }) => made_ids);
  const of: IdsOf = (each) => sql`any (${ids.filter((id) => id.startsWith(`${ID_PREFIXES[each]}_`))}::text[])`;
  if (kind === 'payout') await removePayouts(tx, of);
  else if (kind === 'commission') await removeEarned(tx, rows, of);
  else if (kind === 'code') await removeCodes(tx, of);
  else await removePeople(tx, of);
  await confirmWrites(tx);
}

async function removePayouts(tx: WriteCtx, of: IdsOf): Promise<void> {
  await lockAffiliates(tx, sql`select affiliate_id from payout where id = ${of('payout')}`);
  await assertNone(tx, sql`select from payout where id = ${of('payout')} and status <> 'paid'`);
  await removePaidPayouts(tx, of('payout'));
}

/** Commissions that were paid since, or that a payout has claimed or paid, stay. */
async function removeEarned(tx: WriteCtx, rows: readonly { id: string; made_ids: string[] }[], of: IdsOf): Promise<void> {
  const held = await lockAffiliates(tx, sql`select affiliate_id from commission where id = ${of('commission')}`);
  await assertNone(
    tx,
    sql`
      select from data_import_row made join commission on commission.id = made.record_id
      where made.id = any (${rows.map(({ id }) => id)}::text[]) and commission.state = 'paid' and made.data ->> 'state' <> 'paid'`,
  );
  await removeCommissions(
    tx,
    held,
    tx.now,
    rows.flatMap(({ made_ids }) => made_ids.slice(0, 1)),
  );
  await assertNone(tx, sql`select from payout_item where commission_id = ${of('commission')}`);
  await removeImportedCommissions(tx, of('commission'));
  const told = await removeImportedSales(tx, of('sale'));
  if (told.length > 0) queueSaleDecisions(tx, sql`select id, account_id from sale where id = any (${told}::text[])`);
  await removeEmptyPayouts(tx, of('payout'));
  foldCountsSoon(tx);
}

/** Codes that were redeemed since stay. */
async function removeCodes(tx: WriteCtx, of: IdsOf): Promise<void> {
  const { db, accountId } = tx;
  await assertNone(
    tx,
    sql`
      select from promo_code code join attribution_claim claim
        on claim.account_id = code.account_id and claim.affiliate_id = code.affiliate_id and claim.psp_promotion_code_id = code.psp_promotion_code_id
      where code.account_id = ${accountId} and code.id = ${of('promo_code')}`,
  );
  await sql`delete from promo_code where account_id = ${accountId} and id = ${of('promo_code')}`.execute(db);
}

async function removePeople(tx: WriteCtx, of: IdsOf): Promise<void> {
  const { db, accountId } = tx;
  // The key of this column is not declared, for speed.
  await assertNone(tx, sql`select from commission where account_id = ${accountId} and referral_id = ${of('referral')}`);
  await sql`delete from attribution_claim where account_id = ${accountId} and referral_id = ${of('referral')}`.execute(db);
  await removeReferrals(tx, of('referral'));
  await sql`delete from customer_identity where account_id = ${accountId} and customer_id = ${of('customer')}`.execute(db);
  for (const kind of ['customer', 'link', 'affiliate', 'campaign'] as const)
    await sql`delete from ${sql.table(kind)} where account_id = ${accountId} and id = ${of(kind)}`.execute(db);
}

/** Throws InUse if a query finds a row. */
async function assertNone({ db }: WriteCtx, query: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`${query} limit 1`.execute(db);
  if (rows.length > 0) throw new InUse();
}

class InUse extends Error {}

/** True if `removeMade` failed because a record is in use. */
export function isInUse(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof InUse || (each as { code?: unknown }).code === '23503') return true;
  return false;
}
