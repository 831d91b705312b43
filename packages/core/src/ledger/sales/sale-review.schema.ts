import { z } from 'zod';
import { cents, currencyCode, id, signedCents, timestamp } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { NO_COMMISSION_REASONS } from './sale.entity.ts';

export const SaleReview = z
  .object({
    contested: z
      .object({
        commission_id: id('commission').describe('The commission of the sale.'),
        commission_state: z
          .enum(COMMISSION_STATES)
          .describe('`voided`: a person has taken the commission back, and can have the sale decided again.'),
        commission_cents: signedCents().describe('Amount of the commission.'),
        earned_cents: signedCents().describe(
          'Earnings of the affiliate from the sale, with bonuses. They are paid at least in part.',
        ),
        currency: currencyCode(),
        affiliate_id: id('affiliate').nullable().describe('The affiliate who would earn; `null` if nobody would.'),
        affiliate_email: z.string().nullable().describe('Email of that affiliate.'),
        no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why nobody would earn.'),
        amount_cents: signedCents()
          .nullable()
          .describe(
            'Amount that the affiliate who was paid would earn, with bonuses; `null` if another affiliate or nobody would earn.',
          ),
      })
      .nullable()
      .describe('By the facts that are known now, the sale would earn otherwise than it was paid.'),
    uncounted_refund_cents: cents()
      .nullable()
      .describe('Refunds of another report of the same payment that are not counted, because they may be the same refunds.'),
  })
  .meta({ id: 'SaleReview', description: 'Doubts about a sale, for a person to decide.' });
export type SaleReview = z.infer<typeof SaleReview>;

const REVIEW_ACTIONS = ['keep', 'same_refunds'] as const;

export const ReviewSale = z.strictObject({
  id: id('sale'),
  review_action: z
    .enum(REVIEW_ACTIONS)
    .describe(
      '`keep`: the paid commission stands, although facts contradict it. `same_refunds`: the refunds in doubt are those that count. Other facts put both in doubt again.',
    ),
  updated_at: timestamp()
    .optional()
    .describe('`updated_at` of the sale that was reviewed. If the sale has changed since then, the answer is 409.'),
});
export type ReviewSale = z.infer<typeof ReviewSale>;
