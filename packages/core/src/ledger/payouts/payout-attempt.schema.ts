import { z } from 'zod';
import { currencyCode, id, instant, livemode, signedCents } from '../../platform/wire/scalars.ts';
import { ATTEMPT_STATES } from './payout-attempt.entity.ts';

export const PayoutAttemptRecord = z
  .object({
    id: id('payout_attempt'),
    payout_id: id('payout').describe('A payout that was merged into another one since no longer exists.'),
    affiliate_id: id('affiliate'),
    batch_id: z
      .string()
      .nullable()
      .describe('The export, the run or the batch that prepared the attempt. `null` for a payment by hand.')
      .meta({ example: 'pexp_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    method: z.string().describe('Kind of the method: `by_hand`, `csv`, `paypal`, `wise`.').meta({ example: 'paypal' }),
    state: z
      .enum(ATTEMPT_STATES)
      .describe(
        '`prepared` and `approved`: not sent yet; `sent`; `unknown`: no answer, so nothing else can pay the payout; `in_transit`; `unclaimed`: waits for the receiver; `arrived`; `returned`: the money came back; `failed`: refused, see `reason`; `withdrawn`: ended before it was sent.',
      ),
    reason: z
      .string()
      .nullable()
      .describe(
        'Reason for which the attempt failed, was withdrawn or came back. `screening`: it is not sent before the affiliate has been cleared (`payout_screenings`).',
      )
      .meta({ example: 'The account of the receiver is closed.' }),
    amount_cents: signedCents().describe('Amount of the payout, with the fee that the affiliate bears.'),
    currency: currencyCode(),
    livemode: livemode(),
    raw_state: z.string().nullable().describe('State in the words of the service that pays.').meta({ example: 'UNCLAIMED' }),
    rail_id: z
      .string()
      .nullable()
      .describe('The connected account through which the payment is sent. `null` if it is not sent yet, or a person pays.')
      .meta({ example: 'rail_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    provider_batch_id: z
      .string()
      .nullable()
      .describe('ID of the batch of the payment at the service that pays.')
      .meta({ example: 'LEP6947CGTKRL' }),
    provider_item_id: z
      .string()
      .nullable()
      .describe('ID of the payment at the service that pays.')
      .meta({ example: '8AELMXH8UB2P8' }),
    key_generation: z
      .int()
      .describe('Number of this try of the batch. A new try has a new key, and is made only after a certain failure.'),
    cancel_requested_at: instant()
      .nullable()
      .describe('Time at which somebody asked to call the payment back. `null` once that is decided.'),
    can_cancel: z.boolean().describe('`true` if `cancel` asks the service that pays to call the payment back.'),
    receiver_name: z.string().nullable().describe('Name of the receiver at the service that pays.').meta({ example: 'Ada King' }),
    affiliate_fee_cents: signedCents()
      .nullable()
      .describe(
        'Part of `amount_cents` that is not sent, because the affiliate bears it as the fee. `null`: the service that pays is still asked for it.',
      ),
    quoted_fee_cents: signedCents()
      .nullable()
      .describe(
        'Fee that was expected when the payment was prepared, in the minor unit of `quoted_fee_currency`. `null`: unknown.',
      ),
    quoted_fee_currency: currencyCode().nullable(),
    fee_cents: signedCents().nullable().describe('Fee of the payment, in the minor unit of `fee_currency`.'),
    fee_currency: currencyCode().nullable(),
    debited_cents: signedCents().nullable().describe('Amount that was taken from you, in the minor unit of `debited_currency`.'),
    debited_currency: currencyCode().nullable(),
    credited_cents: signedCents().nullable().describe('Amount that the receiver got, in the minor unit of `credited_currency`.'),
    credited_currency: currencyCode().nullable(),
    exchange_rate: z
      .string()
      .nullable()
      .describe('Units of `credited_currency` for one unit of `debited_currency`, as a decimal number.')
      .meta({ example: '0.9132' }),
    returned_cents: signedCents().nullable().describe('Amount that came back, in the minor unit of `currency`.'),
    prepared_at: instant().nullable(),
    first_posted_at: instant()
      .nullable()
      .describe(
        'Time at which the payment was first sent to the service that pays. The service may send it again, with the same key.',
      ),
    sent_at: instant().nullable(),
    arrived_at: instant().nullable(),
    returned_at: instant().nullable(),
    expires_at: instant().nullable().describe('Time at which an unclaimed payment comes back.'),
    ended_at: instant().nullable().describe('Time at which the attempt failed or was withdrawn.'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'PayoutAttempt',
    description: 'One try to pay a payout. At most one attempt of a payout is unfinished or has arrived.',
  });
export type PayoutAttemptRecord = z.infer<typeof PayoutAttemptRecord>;

export const PayoutAttemptId = z.strictObject({ id: id('payout_attempt') });
