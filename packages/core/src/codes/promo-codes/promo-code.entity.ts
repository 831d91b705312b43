import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { type Observation, observationOf } from './observation.ts';

export const PROMO_CODE_STATUSES = ['active', 'inactive', 'stopped'] as const;
export type PromoCodeStatus = (typeof PROMO_CODE_STATUSES)[number];

/** Origin of the assignment. Codes of an affiliate coupon are managed through the coupon. Codes of the merchant's own shop (`own`) have no provider. */
export type PromoCodeOrigin = 'import' | 'create' | 'affiliate_coupon' | 'own';

export const PromoCode = defineEntity({
  name: 'PromoCode',
  tableName: 'promo_code',
  properties: {
    ...recordColumns,
    affiliate_id: p.string(),
    campaign_id: p.string(),
    origin: p.string().$type<PromoCodeOrigin>(),
    psp_promotion_code_id: p.string(),
    psp_coupon_id: p.string().strictNullable(),
    code: p.string(),
    livemode: p.boolean(),
    tracking_token: p.string(),
    status: p.string().$type<PromoCodeStatus>(),
    observation: p.json<Observation>().strictNullable(),
    observed_at: instant().strictNullable(),
    stopped_at: instant().strictNullable(),
  },
});

/**
 * A code that is assigned to an affiliate: a promotion code of the payment provider, or a code of the merchant's own shop. The code is never transferred to another affiliate, and
 * tracking that was stopped never starts again.
 */
export type PromoCode = Row<typeof PromoCode>;

/** The changes that store the state of the code as the provider reports it. None if the state is older than the last observation. */
export function withObservation(row: PromoCode, code: ProviderPromotionCode, at: Instant): Partial<PromoCode> {
  if (row.observed_at !== null && at < row.observed_at) return {};
  return {
    observation: observationOf(code),
    observed_at: at,
    psp_coupon_id: code.couponId ?? row.psp_coupon_id,
    code: code.code,
    updated_at: at,
    ...(row.status !== 'stopped' && { status: code.active ? ('active' as const) : ('inactive' as const) }),
  };
}

/** The changes if the provider no longer has the code. The status becomes `inactive`, unless tracking was stopped. */
export function withAbsence(row: PromoCode, at: Instant): Partial<PromoCode> {
  return {
    observation: row.observation && { ...row.observation, active: false },
    observed_at: at,
    updated_at: at,
    ...(row.status !== 'stopped' && { status: 'inactive' as const }),
  };
}

/** The changes that stop tracking permanently. None if tracking is stopped already. */
export function stoppedTracking(row: PromoCode, at: Instant): Partial<PromoCode> {
  return row.stopped_at === null ? { status: 'stopped', stopped_at: at, updated_at: at } : {};
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    promo_code: InferKyselyTable<typeof PromoCode>;
  }
}
