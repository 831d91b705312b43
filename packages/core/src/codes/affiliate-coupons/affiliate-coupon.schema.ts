import { z } from 'zod';
import { id, instant } from '../../platform/wire/scalars.ts';
import { Observation } from '../promo-codes/observation.ts';
import { codeText } from '../promo-codes/promo-code.schema.ts';

export const AffiliateCouponRecord = z
  .object({
    id: id('affiliate_coupon'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    code: z.string(),
    active: z.boolean().describe('`true` if the code can be redeemed in Stripe.'),
    psp_promotion_code_id: z.string().describe('Stripe promotion code ID.'),
    psp_coupon_id: z.string().nullable().describe('Stripe coupon ID.'),
    livemode: z.boolean().describe('`true` for a code in Stripe live mode, `false` in test mode.'),
    observation: Observation,
    synced_at: instant().describe('Time of the last sync with Stripe.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'AffiliateCoupon',
    description: 'The single coupon code of an affiliate (legacy). New integrations should use promo codes.',
  });
export type AffiliateCouponRecord = z.infer<typeof AffiliateCouponRecord>;

export const AffiliateCouponId = z.strictObject({ affiliate_id: id('affiliate') });
export type AffiliateCouponId = z.infer<typeof AffiliateCouponId>;

export const CreateAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  code: codeText
    .optional()
    .describe('Code that customers enter at checkout. Defaults to one generated from the affiliate’s name.'),
});
export type CreateAffiliateCoupon = z.infer<typeof CreateAffiliateCoupon>;

export const UpdateAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  code: codeText.optional().describe('New code. Creates it in Stripe and deactivates the previous one.'),
  active: z.boolean().optional().describe('Activates or deactivates the code in Stripe.'),
});
export type UpdateAffiliateCoupon = z.infer<typeof UpdateAffiliateCoupon>;

export const SyncAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  force: z.boolean().default(false).describe('If `true`, recreates the code when it no longer exists in Stripe.'),
});
export type SyncAffiliateCoupon = z.infer<typeof SyncAffiliateCoupon>;
