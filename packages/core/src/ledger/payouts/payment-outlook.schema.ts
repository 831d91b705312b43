import { z } from 'zod';
import { currencyCode, instant, signedCents, textInEachLanguage } from '../../platform/wire/scalars.ts';

/** Obstacles to the payment of an open payout, in the order in which they are listed. */
export const OUTLOOK_OBSTACLES = [
  'negative',
  'empty',
  'affiliate_inactive',
  'on_hold',
  'no_address',
  'below_minimum',
  'details_changed',
  'moving_in',
  'screening',
] as const;

const OUTLOOK_ACTS = ['enter_payout_details', 'accept_payment', 'pay_by_hand', 'review_affiliate'] as const;

export const PaymentOutlook = z
  .object({
    currency: currencyCode(),
    amount_cents: signedCents().describe('Amount of the open payout; negative if more was refunded than earned.'),
    payable_cents: signedCents().describe('Part of `amount_cents` that can be paid now: all or nothing.'),
    payable_from: instant()
      .nullable()
      .describe('Time from which the open payout can be paid. Null if that does not depend on the time alone.'),
    on_its_way_cents: signedCents().describe('Amount of payouts that are being paid.'),
    pending_cents: signedCents().describe('Commissions that are not due yet.'),
    next_due_at: instant().nullable().describe('Time at which the next of them falls due.'),
    in_review_cents: signedCents().describe('Commissions that wait for a review.'),
    methods: z
      .array(
        z.object({
          kind: z.string().meta({ example: 'paypal' }),
          hint: z.string().describe('Part of the address by which its owner recognizes it.').meta({ example: 'a…@example.com' }),
        }),
      )
      .describe('The ways in which the affiliate can be paid.'),
    obstacles: z.array(z.enum(OUTLOOK_OBSTACLES)).describe('Reasons why the open payout is not paid; empty if there is none.'),
    to_do: z
      .enum(OUTLOOK_ACTS)
      .nullable()
      .describe(
        'The next act of a person. `enter_payout_details` and `accept_payment`: the affiliate; `pay_by_hand` and `review_affiliate`: the account.',
      ),
    in_words: textInEachLanguage().describe('All of it in words, in each language, as the portal and emails say it.'),
  })
  .meta({
    id: 'PaymentOutlook',
    description: 'The next payment to an affiliate in one currency, with what is in the way of it.',
  });
export type PaymentOutlook = z.infer<typeof PaymentOutlook>;
