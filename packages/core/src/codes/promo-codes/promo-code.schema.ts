import { z } from 'zod';
import { paginated, pageInput } from '../../platform/wire/pagination.ts';
import { id, instant, text } from '../../platform/wire/scalars.ts';
import { Discount, Observation } from './observation.ts';
import { PROMO_CODE_STATUSES } from './promo-code.entity.ts';

/** A write previews unless told otherwise, by a real boolean (specification section 4, promo-code rule 1). */
const dryRun = z.boolean().default(true).describe('True previews and changes nothing, here or at the payment provider.');

const pspPromotionCodeId = text(255).meta({
  description: 'Exact id of the promotion code at the payment provider.',
  example: 'promo_1N4X2xQe9k3sBfVtYw7rLd0a',
});

const pspCouponId = text(255).meta({
  description: 'Coupon at the payment provider that the code hands out.',
  example: 'SPRING20',
});

/** A code as the provider takes it. */
export const codeText = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,500}$/, { error: 'Letters, digits and hyphens only' })
  .meta({ description: 'What customers type; shown to them.', example: 'JANE20' });

export const PromoCodeAssignment = z
  .object({
    id: id('promo_code').nullable().describe('Null in a preview of an assignment that does not exist yet.'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    psp_promotion_code_id: pspPromotionCodeId.nullable().describe('Null in a preview of a code that would be created.'),
    psp_coupon_id: pspCouponId.nullable(),
    code: z.string(),
    livemode: z.boolean(),
    tracking_token: z.string().nullable().describe('Opaque compatibility identifier; not for display.'),
    status: z
      .enum(PROMO_CODE_STATUSES)
      .describe('`inactive`: not redeemable at the provider. `stopped`: not tracked any more, for good.'),
    observation: Observation.nullable(),
    observed_at: instant().nullable(),
    stopped_at: instant().nullable(),
    created_at: instant().nullable(),
    updated_at: instant().nullable(),
  })
  .meta({
    id: 'PromoCodeAssignment',
    description: 'A promotion code that belongs to an affiliate. No proof of paid attribution.',
  });
export type PromoCodeAssignment = z.infer<typeof PromoCodeAssignment>;

export const PromoCodeWarning = z.object({ code: z.string(), message: z.string() });
export type PromoCodeWarning = z.infer<typeof PromoCodeWarning>;

export const PromoCodeOutcome = z
  .object({
    dry_run: z.boolean(),
    operation: z.object({
      id: z.string().nullable().describe('Of an import or a creation that took effect.'),
      type: z.enum(['import', 'create', 'refresh', 'stop']),
      state: z.enum(['previewed', 'succeeded']),
    }),
    assignment: PromoCodeAssignment,
    warnings: z.array(PromoCodeWarning),
  })
  .meta({ id: 'PromoCodeOutcome', description: 'What a write on a promo code did, or would do.' });
export type PromoCodeOutcome = z.infer<typeof PromoCodeOutcome>;

export const PromoCodeMatch = z
  .object({
    psp_promotion_code_id: z.string(),
    livemode: z.boolean(),
    observation: Observation,
    assignment_id: z.string().nullable(),
    affiliate_id: z.string().nullable().describe('The owner, if it has one.'),
    status: z.enum(PROMO_CODE_STATUSES).nullable(),
  })
  .meta({
    id: 'PromoCodeMatch',
    description: 'A promotion code of the payment provider with exactly the code that was asked for.',
  });
export type PromoCodeMatch = z.infer<typeof PromoCodeMatch>;

export const ListPromoCodes = z.strictObject({
  affiliate_id: id('affiliate'),
  ...pageInput,
  q: text(500).optional().describe('Exact code, in any case: looked up at the provider, and filters the assignments.'),
  discounts: z.boolean().optional().describe('True adds the provider’s valid coupons.'),
});
export type ListPromoCodes = z.infer<typeof ListPromoCodes>;

export const PromoCodePage = paginated(PromoCodeAssignment).extend({
  matches: z.array(PromoCodeMatch).optional().describe('Present with `q`.'),
  discounts: z.array(Discount).optional().describe('Present with `discounts`.'),
});
export type PromoCodePage = z.infer<typeof PromoCodePage>;

export const AssignPromoCode = z.strictObject({
  affiliate_id: id('affiliate'),
  psp_promotion_code_id: pspPromotionCodeId.optional().describe('To import an existing code.'),
  mode: z.literal('create').optional().describe('To create a new code, with `code` and `psp_coupon_id`.'),
  code: codeText.optional(),
  psp_coupon_id: pspCouponId.optional(),
  dry_run: dryRun,
});
export type AssignPromoCode = z.infer<typeof AssignPromoCode>;

export const ChangePromoCode = z.strictObject({ affiliate_id: id('affiliate'), id: id('promo_code'), dry_run: dryRun });
export type ChangePromoCode = z.infer<typeof ChangePromoCode>;
