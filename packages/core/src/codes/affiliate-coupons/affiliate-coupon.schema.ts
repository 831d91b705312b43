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
    active: z.boolean().describe('Whether the payment provider redeems it.'),
    psp_promotion_code_id: z.string(),
    psp_coupon_id: z.string().nullable(),
    livemode: z.boolean(),
    observation: Observation,
    synced_at: instant().describe('When the payment provider was last asked.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'AffiliateCoupon', description: 'The one coupon of an affiliate, the legacy default of its campaign.' });
export type AffiliateCouponRecord = z.infer<typeof AffiliateCouponRecord>;

export const AffiliateCouponId = z.strictObject({ affiliate_id: id('affiliate') });
export type AffiliateCouponId = z.infer<typeof AffiliateCouponId>;

export const CreateAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  code: codeText.optional().describe('What customers type; made from the affiliate’s name when missing.'),
});
export type CreateAffiliateCoupon = z.infer<typeof CreateAffiliateCoupon>;

export const UpdateAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  code: codeText.optional().describe('Makes a new code at the payment provider and switches the former one off.'),
  active: z.boolean().optional().describe('Switches the code on or off at the payment provider.'),
});
export type UpdateAffiliateCoupon = z.infer<typeof UpdateAffiliateCoupon>;

export const SyncAffiliateCoupon = z.strictObject({
  affiliate_id: id('affiliate'),
  force: z.boolean().default(false).describe('True makes the code again when the payment provider does not have it any more.'),
});
export type SyncAffiliateCoupon = z.infer<typeof SyncAffiliateCoupon>;
