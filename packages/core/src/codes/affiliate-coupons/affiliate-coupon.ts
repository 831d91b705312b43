import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { recordColumns, type Row } from '../../platform/db/columns.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import type { Observation } from '../promo-codes/observation.ts';
import { PromoCode } from '../promo-codes/promo-code.entity.ts';
import { AffiliateCouponRecord } from './affiliate-coupon.schema.ts';

export const AffiliateCoupon = defineEntity({
  name: 'AffiliateCoupon',
  tableName: 'affiliate_coupon',
  properties: {
    ...recordColumns,
    affiliate_id: p.string(),
    promo_code_id: p.string(),
  },
});

/**
 * An affiliate's coupon (legacy): a promotion code that applies the payment provider's coupon set on the affiliate's campaign. An affiliate
 * has at most one. Its promotion code can be replaced.
 */
export type AffiliateCoupon = Row<typeof AffiliateCoupon>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_coupon: InferKyselyTable<typeof AffiliateCoupon>;
  }
}

/** Returns an affiliate's coupon. Throws NOT_FOUND when the affiliate does not exist or has no coupon. */
export async function getAffiliateCoupon(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  affiliateId: string,
): Promise<AffiliateCouponRecord> {
  const row = await selectCoupons(db)
    .where('coupon.account_id', '=', accountId)
    .where('coupon.affiliate_id', '=', affiliateId)
    .executeTakeFirst();
  return affiliateCouponRecord(foundOrThrow(row, 'affiliate coupon'));
}

/** Finds coupons by affiliate, for expansions. */
export async function findAffiliateCoupons({ db }: Ctx, affiliateIds: string[]): Promise<Map<string, AffiliateCouponRecord>> {
  const rows = await selectCoupons(db).where(oneOf('coupon.affiliate_id', affiliateIds)).execute();
  return new Map(rows.map((row) => [row.affiliate_id, affiliateCouponRecord(row)]));
}

/** The part of a coupon's record that is stored with the coupon. */
const COUPON = wireRecord(AffiliateCoupon, AffiliateCouponRecord);
/** The other part, which is stored with the coupon's promotion code. The omitted fields are columns of both tables. */
const CODE = wireRecord(
  PromoCode,
  AffiliateCouponRecord.omit({ id: true, affiliate_id: true, created_at: true, updated_at: true }),
);
const COLUMNS = [
  ...COUPON.columns.map((column) => `coupon.${column}` as const),
  ...CODE.columns.map((column) => `code.${column}` as const),
  'code.status',
  'code.observed_at',
] as const;

function selectCoupons(db: Db) {
  return db
    .selectFrom('affiliate_coupon as coupon')
    .innerJoin('promo_code as code', 'code.id', 'coupon.promo_code_id')
    .select(COLUMNS);
}

type CouponRow = Pick<AffiliateCoupon, (typeof COUPON.columns)[number]> &
  Pick<PromoCode, (typeof CODE.columns)[number] | 'status' | 'observed_at'>;

/** The provider has the code of a coupon, so it was observed there. */
type Observed = CouponRow & { observation: Observation; observed_at: Instant };

function affiliateCouponRecord(found: CouponRow): AffiliateCouponRecord {
  const row = found as Observed;
  return COUPON.of(row, CODE.of(row, { active: row.status === 'active', synced_at: row.observed_at }));
}
