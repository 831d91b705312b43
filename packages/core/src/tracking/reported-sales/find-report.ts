import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import { entityColumns } from '../../platform/db/entity-columns.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import type { SaleClues } from '../attribution/attribute-sale.ts';
import { REFERRED_ID } from '../attribution/claims.ts';
import { type NamesOfCharge, idOfSale, lockNames } from '../sales/record-sale.ts';

/**
 * Finds the sale that a report means, if it is known already, and the referral that the report names, in one statement. A report of which the provider may
 * tell as well takes its turn before.
 */
export async function findReport(
  ctx: WriteCtx,
  names: NamesOfCharge,
  referralId: string | null | undefined,
): Promise<Pick<SaleClues, 'referral' | 'referredId'> & { saleId: string | null }> {
  await lockNames(ctx, names);
  const { columns, entityOf } = entityColumns(ctx.em, Referral, 'referral');
  const values = { accountId: ctx.accountId, referralId: referralId || undefined, ...names };
  const row = (await findSaleAndReferral(ctx.db, values, { columns }))[0]!;
  return { saleId: row.sale_id, referral: referralId ? entityOf(row) : null, referredId: referralId ? row.referred_id : null };
}

interface Found extends Record<string, unknown> {
  sale_id: string | null;
  referred_id: string | null;
}

const findSaleAndReferral = builtOnce(
  (
    _db,
    { referralId, ...names }: NamesOfCharge & { accountId: string; referralId: string | undefined },
    { columns }: { columns: string },
  ) => {
    const saleId = sql`(${idOfSale(names)}) as sale_id`;
    return referralId === undefined
      ? sql<Found>`select ${saleId}, null as referred_id`
      : sql<Found>`
          select ${saleId}, ${sql.raw(columns)}, ${REFERRED_ID} as referred_id
          from (values (true)) report left join referral on referral.id = ${referralId} and referral.account_id = ${names.accountId}`;
  },
);
