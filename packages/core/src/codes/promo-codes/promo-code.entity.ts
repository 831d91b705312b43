import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { ProviderPromotionCode } from '../../provider/port/port.ts';
import { type Observation, observationOf } from './observation.ts';

export const PROMO_CODE_STATUSES = ['active', 'inactive', 'stopped'] as const;
export type PromoCodeStatus = (typeof PROMO_CODE_STATUSES)[number];

/** Origin of the assignment. Codes of an affiliate coupon are managed through the coupon. */
export type PromoCodeOrigin = 'import' | 'create' | 'affiliate_coupon';

export const PromoCodeSchema = defineEntity({
  name: 'PromoCode',
  tableName: 'promo_code',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    origin: p.string().$type<PromoCodeOrigin>(),
    psp_promotion_code_id: p.string(),
    psp_coupon_id: p.string().strictNullable(),
    code: p.string(),
    livemode: p.boolean(),
    tracking_token: p.string(),
    status: p.string().$type<PromoCodeStatus>(),
    observation: p.json<Observation>(),
    observed_at: instant(),
    stopped_at: instant().strictNullable(),
  },
});

/**
 * A promotion code of the payment provider that is assigned to an affiliate. The code is never transferred to another affiliate, and
 * tracking that was stopped never starts again.
 */
export class PromoCode extends PromoCodeSchema.class {
  /** Stores the state of the code as the provider reports it. Ignores a state older than the last observation. */
  observe(code: ProviderPromotionCode, at: Instant): void {
    if (at < this.observed_at) return;
    this.observation = observationOf(code);
    this.observed_at = at;
    this.psp_coupon_id = code.couponId ?? this.psp_coupon_id;
    this.code = code.code;
    this.updated_at = at;
    if (this.status !== 'stopped') this.status = code.active ? 'active' : 'inactive';
  }

  /** Records that the provider no longer has the code. The status becomes `inactive`, unless tracking was stopped. */
  observeAbsence(at: Instant): void {
    this.observation = { ...this.observation, active: false };
    this.observed_at = at;
    this.updated_at = at;
    if (this.status !== 'stopped') this.status = 'inactive';
  }

  /** Stops tracking permanently. If tracking is stopped already, keeps the time of the first stop. */
  stop(at: Instant): void {
    if (this.stopped_at !== null) return;
    this.status = 'stopped';
    this.stopped_at = at;
    this.updated_at = at;
  }
}
PromoCodeSchema.setClass(PromoCode);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    promo_code: InferKyselyTable<typeof PromoCodeSchema>;
  }
}
