import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { recordColumns, type Row } from '../../platform/db/columns.ts';

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
