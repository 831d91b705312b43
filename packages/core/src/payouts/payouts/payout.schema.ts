import { z } from 'zod';
import { currencyCode, id, instant, signedCents, text } from '../../platform/wire/scalars.ts';

export const PAYOUT_STATES = ['pending', 'due', 'processing', 'paid'] as const;
export const INELIGIBLE_REASONS = ['below_minimum', 'affiliate_inactive', 'on_hold', 'not_positive', 'claimed'] as const;

export const PlainPayout = z.object({
  id: id('payout'),
  affiliate_id: id('affiliate'),
  state: z
    .enum(PAYOUT_STATES)
    .describe('`pending`: open, not payable yet; `due`: open and payable; `processing`: claimed by an export or a run; `paid`.'),
  amount_cents: signedCents().describe('The sum of its commissions, in the minor unit of `currency`.'),
  currency: currencyCode(),
  commissions_count: z.int(),
  eligible: z.boolean().describe('Whether it can be claimed and paid now.'),
  ineligible_reasons: z
    .array(z.enum(INELIGIBLE_REASONS))
    .describe('`on_hold`: the affiliate is suspicious. `below_minimum`: of the campaign, where that has the payout’s currency.'),
  payment_reference: z.string().nullable(),
  paid_at: instant().nullable(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainPayout = z.infer<typeof PlainPayout>;

export const PayPayout = z.strictObject({
  id: id('payout'),
  payment_reference: text(255).optional().describe('Yours, of the transfer; kept with the payout.'),
});
export type PayPayout = z.infer<typeof PayPayout>;

/** `data` of `payout.paid`. */
export const PayoutEventData = z
  .object({ ...PlainPayout.shape, commission_ids: z.array(id('commission')) })
  .meta({ id: 'PayoutEventData' });
export type PayoutEventData = z.infer<typeof PayoutEventData>;
