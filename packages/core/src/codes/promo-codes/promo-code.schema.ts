import { z } from 'zod';
import { modeFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { paginated, pageInput } from '../../platform/wire/pagination.ts';
import { id, instant, nameText, text } from '../../platform/wire/scalars.ts';
import { CODE_REASONS } from '../reasons.ts';
import { Discount, Observation } from './observation.ts';
import { PROMO_CODE_STATUSES } from './promo-code.entity.ts';

/** True (the default) if a write only previews the change. Strings are refused, even `"false"`. */
const dryRun = z.boolean().default(true).describe('If `true`, returns a preview and changes nothing here or in Stripe.');

const pspPromotionCodeId = text(255).meta({
  description: 'Stripe promotion code ID.',
  example: 'promo_1N4X2xQe9k3sBfVtYw7rLd0a',
});

const pspCouponId = text(255).meta({
  description: 'ID of the Stripe coupon that the code applies.',
  example: 'SPRING20',
});

/** Format of a promotion code in Stripe. */
export const codeText = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,500}$/, CODE_REASONS.code_form)
  .meta({ description: 'Code that customers enter at checkout.', example: 'JANE20' });

export const PromoCodeAssignment = z
  .object({
    id: id('promo_code').nullable().describe('`null` in a preview of a new assignment.'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    psp_promotion_code_id: pspPromotionCodeId
      .nullable()
      .describe('`null` in a preview of a new code, and for a code of your own shop.'),
    psp_coupon_id: pspCouponId.nullable(),
    code: z.string(),
    livemode: z.boolean(),
    tracking_token: z.string().nullable().describe('Opaque identifier kept for compatibility; not for display.'),
    status: z
      .enum(PROMO_CODE_STATUSES)
      .describe(
        '`active`: redeemable and tracked. `inactive`: not redeemable in Stripe. `stopped`: tracking has ended permanently.',
      ),
    observation: Observation.nullable(),
    observed_at: instant().nullable().describe('`null` for a code of your own shop.'),
    stopped_at: instant().nullable(),
    created_at: instant().nullable(),
    updated_at: instant().nullable(),
  })
  .meta({
    id: 'PromoCodeAssignment',
    description:
      'A Stripe promotion code, or a code of your own shop, assigned to one affiliate. An assignment does not prove that a sale was attributed or paid.',
  });
export type PromoCodeAssignment = z.infer<typeof PromoCodeAssignment>;

export const PromoCodeEventData = PromoCodeAssignment.extend({ id: id('promo_code') }).meta({
  id: 'PromoCodeEventData',
  description: 'A promotion code of the payment provider, or of your own shop, that is assigned to one affiliate.',
});

export const PromoCodeWarning = z.object({ code: z.string(), message: z.string() });
export type PromoCodeWarning = z.infer<typeof PromoCodeWarning>;

export const PromoCodeOutcome = z
  .object({
    dry_run: z.boolean(),
    operation: z.object({
      id: z.string().nullable().describe('ID of the operation that imported or created the code; otherwise `null`.'),
      type: z.enum(['import', 'create', 'refresh', 'stop']),
      state: z.enum(['previewed', 'succeeded']),
    }),
    assignment: PromoCodeAssignment,
    warnings: z.array(PromoCodeWarning),
  })
  .meta({ id: 'PromoCodeOutcome', description: 'Result of a promo code write, or its preview.' });
export type PromoCodeOutcome = z.infer<typeof PromoCodeOutcome>;

export const PromoCodeMatch = z
  .object({
    psp_promotion_code_id: z.string(),
    livemode: z.boolean(),
    observation: Observation,
    assignment_id: z.string().nullable(),
    affiliate_id: z.string().nullable().describe('Affiliate that the code is assigned to, if any.'),
    status: z.enum(PROMO_CODE_STATUSES).nullable(),
  })
  .meta({
    id: 'PromoCodeMatch',
    description: 'A Stripe promotion code whose code matches `q` exactly.',
  });
export type PromoCodeMatch = z.infer<typeof PromoCodeMatch>;

export const ListPromoCodes = z.strictObject({
  affiliate_id: id('affiliate'),
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  q: text(500).optional().describe('Exact code, case-insensitive. Filters the assignments and looks up the code in Stripe.'),
  discounts: z.boolean().optional().describe('If `true`, includes the valid Stripe coupons.'),
});
export type ListPromoCodes = z.infer<typeof ListPromoCodes>;

export const PromoCodePage = paginated(PromoCodeAssignment).extend({
  matches: z.array(PromoCodeMatch).optional().describe('Stripe promotion codes matching `q`. Present only with `q`.'),
  discounts: z.array(Discount).optional().describe('Valid Stripe coupons. Present only with `discounts=true`.'),
});
export type PromoCodePage = z.infer<typeof PromoCodePage>;

export const ListAllPromoCodes = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
  code: text(500).optional().describe('Exact code, case-insensitive.'),
  status: oneOrMore(PROMO_CODE_STATUSES),
  livemode: modeFilter(),
});
export type ListAllPromoCodes = z.infer<typeof ListAllPromoCodes>;
export const PromoCodeAssignments = paginated(PromoCodeAssignment);
export const GetPromoCode = z.strictObject({ id: id('promo_code') });

export const AssignPromoCode = z.strictObject({
  affiliate_id: id('affiliate'),
  psp_promotion_code_id: pspPromotionCodeId.optional().describe('Stripe promotion code to import.'),
  mode: z.literal('create').optional().describe('`create` creates a new code; requires `code` and `psp_coupon_id`.'),
  code: codeText.optional(),
  psp_coupon_id: pspCouponId.optional(),
  dry_run: dryRun,
});
export type AssignPromoCode = z.infer<typeof AssignPromoCode>;

export const CreatePromoCode = z.strictObject({
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign')
    .optional()
    .describe('Campaign whose terms sales with the code earn by. Default: that of the affiliate.'),
  code: nameText(255)
    .optional()
    .describe('Code that customers enter in your shop, in any case. Default: made from the name of the affiliate.')
    .meta({ example: 'JANE20' }),
});
export type CreatePromoCode = z.infer<typeof CreatePromoCode>;

export const ListPendingPromoCodes = z.strictObject({ affiliate_id: id('affiliate').optional() }).optional();

export const PendingPromoCodes = z.object({
  data: z.array(
    z.object({
      id: id('operation'),
      affiliate_id: id('affiliate'),
      type: z.enum(['import', 'create']),
      livemode: z.boolean(),
      code: z.string().nullable().describe('The code to create.'),
      psp_coupon_id: z.string().nullable(),
      psp_promotion_code_id: z.string().nullable().describe('The Stripe promotion code to import.'),
      is_running: z.boolean().describe('`true` if a request is working on the operation right now.'),
      created_at: instant(),
    }),
  ),
});
export type PendingPromoCodes = z.infer<typeof PendingPromoCodes>;

export const ResumePromoCode = z.strictObject({
  operation_id: id('operation'),
  affiliate_id: id('affiliate').optional().describe('If given, must be the affiliate of the operation.'),
});
export type ResumePromoCode = z.infer<typeof ResumePromoCode>;

export const ChangePromoCode = z.strictObject({ affiliate_id: id('affiliate'), id: id('promo_code'), dry_run: dryRun });
export type ChangePromoCode = z.infer<typeof ChangePromoCode>;
