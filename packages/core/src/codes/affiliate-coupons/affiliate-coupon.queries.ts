import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Observation } from '../promo-codes/observation.ts';
import type { AffiliateCouponRecord } from './affiliate-coupon.schema.ts';
import { oneOf } from '../../platform/db/one-of.ts';

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

function selectCoupons(db: Db) {
  return db
    .selectFrom('affiliate_coupon as coupon')
    .innerJoin('promo_code as code', 'code.id', 'coupon.promo_code_id')
    .select([
      'coupon.id',
      'coupon.affiliate_id',
      'coupon.created_at',
      'coupon.updated_at',
      'code.campaign_id',
      'code.code',
      'code.status',
      'code.psp_promotion_code_id',
      'code.psp_coupon_id',
      'code.livemode',
      'code.observation',
      'code.observed_at',
    ]);
}

interface CouponRow {
  id: string;
  affiliate_id: string;
  created_at: Instant;
  updated_at: Instant;
  campaign_id: string;
  code: string;
  status: string;
  psp_promotion_code_id: string;
  psp_coupon_id: string | null;
  livemode: boolean;
  observation: Observation;
  observed_at: Instant;
}

function affiliateCouponRecord({ status, observed_at, ...columns }: CouponRow): AffiliateCouponRecord {
  return { ...columns, active: status === 'active', synced_at: observed_at };
}
