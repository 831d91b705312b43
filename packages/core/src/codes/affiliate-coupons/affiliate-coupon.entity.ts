import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { PromoCode } from '../promo-codes/promo-code.entity.ts';

export const AffiliateCouponSchema = defineEntity({
  name: 'AffiliateCoupon',
  tableName: 'affiliate_coupon',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    promo_code_id: () => p.manyToOne(PromoCode).mapToPk().fieldName('promo_code_id'),
  },
});

/**
 * An affiliate's coupon (legacy): a promotion code that applies the payment provider's coupon set on the affiliate's campaign. An affiliate
 * has at most one. Its promotion code can be replaced.
 */
export class AffiliateCoupon extends AffiliateCouponSchema.class {
  replaceCode(code: PromoCode, at: Instant): void {
    this.promo_code_id = code.id;
    this.updated_at = at;
  }
}
AffiliateCouponSchema.setClass(AffiliateCoupon);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_coupon: InferKyselyTable<typeof AffiliateCouponSchema>;
  }
}
