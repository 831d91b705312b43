import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { Sale } from '../sales/sale.entity.ts';
import type { CommissionState } from './commission.states.ts';

export const COMMISSION_KINDS = ['sale', 'adjustment', 'manual'] as const;
export type CommissionKind = (typeof COMMISSION_KINDS)[number];
export const REVIEW_STATUSES = ['suspicious', 'approved'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
/** Reasons for which the service flags a commission by itself. */
export const REVIEW_REASONS = ['self_referral', 'possible_duplicate'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export const CommissionSchema = defineEntity({
  name: 'Commission',
  tableName: 'commission',
  properties: {
    ...recordColumns,
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    /** Null on a manual commission and its adjustments, which belong to no sale. */
    referral_id: () => p.manyToOne(Referral).mapToPk().fieldName('referral_id').strictNullable(),
    sale_id: () => p.manyToOne(Sale).mapToPk().fieldName('sale_id').strictNullable(),
    /** On an adjustment: the commission that it corrects. */
    adjusts_commission_id: p.string().strictNullable(),
    kind: p.string().$type<CommissionKind>(),
    state: p.string().$type<CommissionState>(),
    amount_cents: cents(),
    currency: p.string(),
    /** False for a sale of the payment provider’s test mode, and for its adjustments (docs/domain-rules.md#modes). */
    livemode: p.boolean(),
    /** The rate it was earned at; null for a fixed amount. Later changes of the campaign do not affect it. */
    basis_points: p.integer().strictNullable(),
    due_at: instant(),
    paid_at: instant().strictNullable(),
    voided_at: instant().strictNullable(),
    void_reason: p.string().strictNullable(),
    /** Voided by a full refund rather than by the merchant: if that refund fails, an adjustment gives the amount back. */
    voided_by_refund: p.boolean(),
    /** A late fact gave the sale to another referral, or to none: this is no longer the sale's commission (docs/domain-rules.md#order-of-facts). */
    superseded: p.boolean(),
    review_status: p.string().$type<ReviewStatus>().strictNullable(),
    /** The reason for which the service flagged it; null when nobody or a person did. */
    review_reason: p.string().$type<ReviewReason>().strictNullable(),
    /** On a manual commission: what it is for, and the id of the user, API key or connector that created it. */
    note: p.string().strictNullable(),
    created_by: p.string().strictNullable(),
  },
});

/**
 * An affiliate’s earnings from a sale; as an adjustment, a correction of a commission that was already claimed or paid; or an amount that the
 * merchant entered.
 */
export class Commission extends CommissionSchema.class {
  isUnpaid(): boolean {
    return this.state === 'pending' || this.state === 'due';
  }

  isFlagged(): boolean {
    return this.review_status === 'suspicious';
  }
}
CommissionSchema.setClass(Commission);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission: InferKyselyTable<typeof CommissionSchema>;
  }
}
