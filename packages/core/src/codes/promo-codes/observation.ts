import { z } from 'zod';
import { toInstant } from '../../platform/time/instant.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { instant } from '../../platform/wire/scalars.ts';
import type { ProviderCoupon, ProviderPromotionCode } from '../../sources/port/capabilities.ts';

/** State of a promotion code as last reported by the payment provider. */
export const Observation = z
  .object({
    active: z.boolean().describe('`true` if the code can be redeemed now.'),
    code: z.string(),
    psp_coupon_id: z.string().nullable(),
    psp_customer_id: z
      .string()
      .nullable()
      .describe(`${PSP} ID of the only customer who can redeem the code; \`null\` if any customer can.`),
    expires_at: instant().nullable(),
    max_redemptions: z.int().nullable(),
    times_redeemed: z.int(),
    first_time_transaction: z.boolean().describe('`true` if the code is limited to customers without prior payments.'),
    minimum_amount_cents: z.int().nullable(),
    minimum_amount_currency: z.string().nullable(),
    created_at: instant(),
  })
  .meta({ id: 'PromoCodeObservation', description: `State of the promotion code as last reported by ${PSP}.` });
export type Observation = z.infer<typeof Observation>;

/** A code without limits that nobody has redeemed, as far as is known. */
export const UNLIMITED = {
  customerId: null,
  expiresAt: null,
  maxRedemptions: null,
  timesRedeemed: 0,
  firstTimeTransaction: false,
  minimumAmount: null,
  minimumAmountCurrency: null,
  metadata: {},
} satisfies Partial<ProviderPromotionCode>;

export function observationOf(code: ProviderPromotionCode): Observation {
  return {
    active: code.active,
    code: code.code,
    psp_coupon_id: code.couponId,
    psp_customer_id: code.customerId,
    expires_at: code.expiresAt && toInstant(code.expiresAt),
    max_redemptions: code.maxRedemptions,
    times_redeemed: code.timesRedeemed,
    first_time_transaction: code.firstTimeTransaction,
    minimum_amount_cents: code.minimumAmount,
    minimum_amount_currency: code.minimumAmountCurrency,
    created_at: toInstant(code.createdAt),
  };
}

/** A coupon at the payment provider. Promotion codes apply coupons. */
export const Discount = z
  .object({
    psp_coupon_id: z.string(),
    name: z.string().nullable(),
    percent_off: z.number().nullable(),
    amount_off_cents: z.int().nullable(),
    currency: z.string().nullable(),
    duration: z.string().describe('`once`, `repeating` (for `duration_in_months`), or `forever`.'),
    duration_in_months: z.int().nullable(),
    redeem_by: instant().nullable(),
    max_redemptions: z.int().nullable(),
    times_redeemed: z.int(),
    livemode: z.boolean(),
  })
  .meta({ id: 'PspDiscount', description: `A ${PSP} coupon that can be redeemed now.` });
export type Discount = z.infer<typeof Discount>;

export function discountOf(coupon: ProviderCoupon): Discount {
  return {
    psp_coupon_id: coupon.id,
    name: coupon.name,
    percent_off: coupon.percentOff,
    amount_off_cents: coupon.amountOff,
    currency: coupon.currency,
    duration: coupon.duration,
    duration_in_months: coupon.durationInMonths,
    redeem_by: coupon.redeemBy && toInstant(coupon.redeemBy),
    max_redemptions: coupon.maxRedemptions,
    times_redeemed: coupon.timesRedeemed,
    livemode: coupon.mode === 'live',
  };
}
