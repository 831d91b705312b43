import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { Sale } from '../sales/sale.entity.ts';
import type { CommissionState } from './commission.states.ts';

export const COMMISSION_KINDS = ['sale', 'adjustment'] as const;
export const REVIEW_STATUSES = ['suspicious', 'approved'] as const;

export const CommissionSchema = defineEntity({
  name: 'Commission',
  tableName: 'commission',
  properties: {
    ...recordColumns,
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    referral_id: () => p.manyToOne(Referral).mapToPk().fieldName('referral_id'),
    sale_id: () => p.manyToOne(Sale).mapToPk().fieldName('sale_id'),
    /** Set on an adjustment: the commission whose payment it corrects. */
    adjusts_commission_id: p.string().strictNullable(),
    kind: p.string().$type<(typeof COMMISSION_KINDS)[number]>(),
    state: p.string().$type<CommissionState>(),
    amount_cents: cents(),
    currency: p.string(),
    /** The rate it was earned at; null for a fixed amount. Later changes of the campaign do not reach it. */
    basis_points: p.integer().strictNullable(),
    due_at: instant(),
    paid_at: instant().strictNullable(),
    voided_at: instant().strictNullable(),
    void_reason: p.string().strictNullable(),
    /** A full refund voided it, not the merchant: should the refund fail, the affiliate has earned it after all. */
    voided_by_refund: p.boolean(),
    review_status: p.string().$type<(typeof REVIEW_STATUSES)[number]>().strictNullable(),
  },
});

/** What an affiliate earns from a sale; as an adjustment, a correction of what was already paid. */
export class Commission extends CommissionSchema.class {
  isUnpaid(): boolean {
    return this.state === 'pending' || this.state === 'due';
  }

  isFlagged(): boolean {
    return this.review_status === 'suspicious';
  }

  /** Whether a payout may hold it. */
  isPayable(): boolean {
    return this.state === 'due' && !this.isFlagged();
  }

  /** Throws VALIDATION_ERROR on a voided commission. */
  markPaid(paidAt: Instant, at: Instant): void {
    this.assertNotVoided();
    this.state = 'paid';
    this.paid_at = paidAt;
    this.updated_at = at;
  }

  /** Paid becomes pending or due again, by its due date. Throws VALIDATION_ERROR on a voided commission. */
  markUnpaid(at: Instant): void {
    this.assertNotVoided();
    this.paid_at = null;
    this.updated_at = at;
    this.recalculate(at);
  }

  /** A new due date moves an unpaid commission between pending and due; a paid or voided one keeps its state. */
  reschedule(dueAt: Instant, at: Instant): void {
    this.due_at = dueAt;
    this.updated_at = at;
    if (this.isUnpaid()) this.recalculate(at);
  }

  /** Keeps `paid_at`: money that was paid is still to be taken back. */
  void(reason: string | null, at: Instant): void {
    this.state = 'voided';
    this.voided_at = at;
    this.void_reason = reason;
    this.updated_at = at;
  }

  voidAsRefunded(at: Instant): void {
    this.void('refunded', at);
    this.voided_by_refund = true;
  }

  /** For unpaid commissions only: the amount of a paid one stands, and adjustments correct it. */
  revalue(amountCents: number, at: Instant): void {
    this.amount_cents = amountCents;
    this.updated_at = at;
  }

  /** Throws VALIDATION_ERROR on a paid or voided commission: its review is over. */
  review(status: 'suspicious' | 'approved', at: Instant): void {
    if (!this.isUnpaid()) throw invalid('review_action', `A ${this.state} commission cannot be reviewed`, 'invalid_state');
    this.review_status = status;
    this.updated_at = at;
    this.recalculate(at);
  }

  private recalculate(at: Instant): void {
    this.state = this.due_at <= at ? 'due' : 'pending';
  }

  private assertNotVoided(): void {
    if (this.state === 'voided') throw invalid('paid_at', 'The paid state of a voided commission cannot change', 'invalid_state');
  }
}
CommissionSchema.setClass(Commission);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission: InferKyselyTable<typeof CommissionSchema>;
  }
}
