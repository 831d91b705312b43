import { z } from 'zod';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

export const CommissionStats = z
  .object({
    visitors: z.int().describe('Referrals in any state, including expired referrals that were deleted.'),
    leads: z.int().describe('Referrals that became leads, including conversions.'),
    conversions: z.int().describe('Referrals that converted.'),
    currencies: z.array(
      z.object({
        currency: currencyCode(),
        pending_cents: signedCents(),
        due_cents: signedCents(),
        paid_cents: signedCents().describe(
          'Paid commissions, including commissions voided after they were paid; the clawback is in `due_cents`.',
        ),
        voided_cents: signedCents().describe('Commissions voided before they were claimed or paid.'),
        under_review_cents: signedCents().describe(
          'Part of `pending_cents` and `due_cents` that is kept out of payouts until it is reviewed (`needs_review` of commissions).',
        ),
        gross_sales_cents: signedCents().describe('Amount charged to referred customers, before tax and refunds.'),
      }),
    ),
  })
  .meta({ id: 'CommissionStats', description: 'Referrals, sales, and commissions of an affiliate, per currency.' });
export type CommissionStats = z.infer<typeof CommissionStats>;

const KINDS = [
  'joined',
  'first_click',
  'first_sale',
  'refund',
  'refund_failed',
  'dispute_lost',
  'payout_paid',
  'payout_returned',
] as const;

export const GetTimeline = z.strictObject({ id: id('affiliate') });

export const Timeline = z
  .object({
    entries: z
      .array(
        z.object({
          at: instant(),
          kind: z.enum(KINDS),
          amount_cents: signedCents().nullable(),
          currency: currencyCode().nullable(),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'AffiliateTimeline', description: 'The milestones of an affiliate.' });
export type Timeline = z.infer<typeof Timeline>;
