import { z } from 'zod';
import { merchantData, merchantDataInput } from '../../platform/wire/merchant-data.ts';
import { currencyCode, id, instant, livemode, signedCents, text, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { PAYOUT_STATES } from '../../platform/wire/states.ts';

export const INELIGIBLE_REASONS = [
  'below_minimum',
  'affiliate_inactive',
  'on_hold',
  'not_positive',
  'details_changed',
  'moving_in',
  'screening',
  'claimed',
] as const;

export const PlainPayout = z.object({
  id: id('payout'),
  affiliate_id: id('affiliate'),
  state: z
    .enum(PAYOUT_STATES)
    .describe(
      '`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run; `paid`; `returned`: the transfer bounced, and the commissions are in another payout.',
    ),
  amount_cents: signedCents().describe('Sum of the commissions, in the minor unit of `currency`.'),
  currency: currencyCode(),
  livemode: livemode(),
  commissions_count: z.int(),
  eligible: z.boolean().describe('`true` if the payout can be exported or added to a run now.'),
  ineligible_reasons: z
    .array(z.enum(INELIGIBLE_REASONS))
    .describe(
      'Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if both are in the same currency.',
    ),
  payment_reference: z.string().nullable(),
  paid_at: instant().nullable(),
  returned_at: instant().nullable(),
  return_reason: z.string().nullable(),
  ...merchantData,
  created_at: instant(),
  updated_at: instant(),
});
export type PlainPayout = z.infer<typeof PlainPayout>;

export const PayoutId = z.strictObject({ id: id('payout') });

export const UpdatePayout = z.strictObject({ id: id('payout'), ...merchantDataInput });
export type UpdatePayout = z.infer<typeof UpdatePayout>;

export const PayPayout = z.strictObject({
  id: id('payout'),
  payment_reference: text(255).optional().describe('Your reference for the transfer, stored with the payout.'),
});
export type PayPayout = z.infer<typeof PayPayout>;

export const ReturnPayout = z.strictObject({
  id: id('payout'),
  reason: text(500).describe('Reason why the transfer bounced, stored with the payout.').meta({ example: 'Account closed' }),
});
export type ReturnPayout = z.infer<typeof ReturnPayout>;

export const PayoutEventData = z.object(PlainPayout.shape).meta({ id: 'PayoutEventData' });

/** The cost of a payment and its bearer, in events about payments. */
const PayoutPayment = z
  .object({
    method: z.string().describe('Kind of the method: `by_hand`, `csv`, `paypal`, `wise`.').meta({ example: 'paypal' }),
    fee_cents: signedCents()
      .nullable()
      .describe(
        'Fee that the service which pays has taken, in the minor unit of `fee_currency`. You bear what `affiliate_fee_cents` does not cover. `null`: the service has not told.',
      ),
    fee_currency: currencyCode().nullable(),
    affiliate_fee_cents: signedCents().describe(
      'Part of `amount_cents` that was not sent, because the affiliate bears it as the fee. When the payment fails or comes back, it is due again, too.',
    ),
    returned_cents: signedCents()
      .nullable()
      .describe('Amount that came back, in the minor unit of `currency`. `null`: not known.'),
  })
  .meta({ id: 'PayoutPayment', description: 'The payment of a payout, and its fee when the event was made.' });
export type PayoutPayment = z.infer<typeof PayoutPayment>;

/** `data` of `payout.failed`: the payout, which is open again. */
export const FailedPayoutEventData = z
  .object({
    ...PlainPayout.shape,
    payment: PayoutPayment,
    reason: z
      .string()
      .describe('Reason for which the attempt to pay the payout failed.')
      .meta({ example: 'The account of the receiver is closed.' }),
  })
  .meta({ id: 'FailedPayoutEventData' });
export type FailedPayoutEventData = z.infer<typeof FailedPayoutEventData>;

/** `data` of events about the payment of a payout. */
export const PaidPayoutEventData = z
  .object({
    ...PlainPayout.shape,
    payment: PayoutPayment,
    commission_ids: z
      .array(id('commission'))
      .describe('Commissions in the payout. With `payout.paid`, all of them that are not voided are paid, too.'),
  })
  .meta({ id: 'PaidPayoutEventData' });

/** `data` of `payout.merged`: the payout that no longer exists. */
export const MergedPayoutEventData = z
  .object({ ...PlainPayout.shape, merged_into: id('payout').describe('Payout that has the commissions of this one.') })
  .meta({ id: 'MergedPayoutEventData' });
export type MergedPayoutEventData = z.infer<typeof MergedPayoutEventData>;

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
