import { z } from 'zod';
import { findAffiliates } from '../affiliates/affiliate.queries.ts';
import { PlainAffiliate } from '../affiliates/affiliate.schema.ts';
import { byId, expandable } from '../api/expand.ts';
import { oneOrMore, updatedRange } from '../api/filters.ts';
import { pageInput, paginated } from '../api/pagination.ts';
import { currencyCode, id, instant, signedCents, text } from '../api/scalars.ts';
import { findCommissionsOfPayouts } from '../commissions/commission.queries.ts';
import { PlainCommission } from '../commissions/commission.schema.ts';

export const PAYOUT_STATES = ['pending', 'due', 'processing', 'paid'] as const;
export const INELIGIBLE_REASONS = ['below_minimum', 'affiliate_inactive', 'on_hold', 'not_positive', 'claimed'] as const;

const plain = z.object({
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
export type PlainPayout = z.infer<typeof plain>;

export const payoutExpansions = expandable<PlainPayout>()({
  affiliate: { schema: PlainAffiliate, load: byId((payout) => payout.affiliate_id, findAffiliates) },
  commissions: { schema: z.array(PlainCommission), load: findCommissionsOfPayouts },
});

export const PayoutRecord = z
  .object({ ...plain.shape, ...payoutExpansions.output })
  .meta({ id: 'Payout', description: 'What is paid to an affiliate at one time, in one currency.' });
export type PayoutRecord = z.infer<typeof PayoutRecord>;

export const GetPayout = z.strictObject({ id: id('payout'), ...payoutExpansions.input });

export const ListPayouts = z.strictObject({
  ...pageInput,
  ...updatedRange,
  ...payoutExpansions.input,
  affiliate_id: id('affiliate').optional(),
  state: oneOrMore(PAYOUT_STATES),
  eligible: z
    .boolean()
    .optional()
    .describe('`true`: the payouts that can be paid now, all of them, without pagination. `false`: the others.'),
});
export type ListPayouts = z.infer<typeof ListPayouts>;

const page = paginated(PayoutRecord);
/** With `eligible=true` the list is whole, and has no `pagination`. */
export const PayoutPage = page.extend({ pagination: page.shape.pagination.optional().describe('Absent with `eligible=true`.') });

export const PayPayout = z.strictObject({
  id: id('payout'),
  payment_reference: text(255).optional().describe('Yours, of the transfer; kept with the payout.'),
});
export type PayPayout = z.infer<typeof PayPayout>;

/** `data` of `payout.paid`. */
export const PayoutEventData = z
  .object({ ...plain.shape, commission_ids: z.array(id('commission')) })
  .meta({ id: 'PayoutEventData' });
export type PayoutEventData = z.infer<typeof PayoutEventData>;
