import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Row } from '../../platform/db/row.ts';
import { cents, instant, recordColumns } from '../../platform/db/columns.ts';

/** Reasons why a sale earned no commission. */
export const NO_COMMISSION_REASONS = [
  'no_referral',
  'before_visit',
  'referral_expired',
  'referral_deactivated',
  'affiliate_inactive',
  'campaign_archived',
  'max_commissions_reached',
  'commission_period_over',
  'nothing_to_earn',
] as const;
export type NoCommissionReason = (typeof NO_COMMISSION_REASONS)[number];

/** A campaign's limits on the commissions of one referral. Null means no limit. */
export interface SaleLimits {
  maxCommissions: number | null;
  periodMonths: number | null;
}

export const Sale = defineEntity({
  name: 'Sale',
  tableName: 'sale',
  properties: {
    ...recordColumns,
    referral_id: p.string().strictNullable(),
    affiliate_id: p.string().strictNullable(),
    customer_id: p.string().strictNullable(),
    /** The merchant's own id for the sale. A second report with the same id changes nothing. */
    external_id: p.string().strictNullable(),
    /** The referral that the merchant named for this sale. It earns even if the charge came before the visit. */
    named_referral_id: p.string().strictNullable(),
    psp_charge_id: p.string().strictNullable(),
    psp_invoice_id: p.string().strictNullable(),
    psp_payment_intent_id: p.string().strictNullable(),
    promo_code: p.string().strictNullable(),
    psp_promotion_code_id: p.string().strictNullable(),
    livemode: p.boolean().strictNullable(),
    charge_amount_cents: cents(),
    tax_amount_cents: cents(),
    /** Sum of all refunds so far. */
    refund_amount_cents: cents(),
    /** Sum of the refunds for which a credit note states the tax. `noted_tax_cents` is that tax (docs/domain-rules.md#tax-of-refunds). */
    noted_refund_cents: cents(),
    noted_tax_cents: cents(),
    currency: p.string(),
    description: p.string().strictNullable(),
    no_commission_reason: p.string().$type<NoCommissionReason>().strictNullable(),
    charged_at: instant(),
    /** The limits of the campaign at the time of the attribution. Null on sales that are not attributed yet. */
    limits: p.json<SaleLimits>().strictNullable(),
    /**
     * Keys of the claims that could not earn when another claim earned the commission of the sale. These claims do not take the commission
     * over, even when they can earn again (docs/domain-rules.md#order-of-facts).
     */
    passed_over: p.json<readonly string[]>(),
  },
});

/** A charge that a customer paid. */
export type Sale = Row<typeof Sale>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    sale: InferKyselyTable<typeof Sale>;
  }
}
