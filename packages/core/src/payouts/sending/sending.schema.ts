import { z } from 'zod';
import { id, instant, livemode, text } from '../../platform/wire/scalars.ts';
import { LeftOut, payoutIds, Totals } from '../batches/batch.schema.ts';
import { PROBLEM_CODES } from '../port/problem-code.ts';

export const PreparePayouts = z.strictObject({
  method: z.string().max(40).describe('Kind of a method whose payments the service sends.').meta({ example: 'paypal' }),
  payout_ids: payoutIds().optional().describe('Default: all eligible payouts of the mode. All of them must be eligible.'),
  livemode: z.boolean().default(true).describe('`false`: prepares test payouts.'),
});
export type PreparePayouts = z.infer<typeof PreparePayouts>;

export const PreparedPayouts = z
  .object({
    batch_id: id('payout_batch').describe('The attempts have this `batch_id`.'),
    method: z.string().describe('Kind of the method.').meta({ example: 'paypal' }),
    livemode: livemode(),
    payouts_count: z.int(),
    totals: Totals,
    waits_until: instant()
      .nullable()
      .describe('Time until which the payments wait, because of `allowed_hours` of the account. `null`: they are sent at once.'),
    left_out_count: z.int(),
    left_out: z
      .array(
        LeftOut.extend({ code: z.enum(PROBLEM_CODES), message: z.string().meta({ example: 'Ada King has no PayPal address.' }) }),
      )
      .describe('At most 100 of the eligible payouts that the method cannot pay.'),
  })
  .meta({ id: 'PreparedPayouts', description: 'Payouts that the service will pay.' });
export type PreparedPayouts = z.infer<typeof PreparedPayouts>;

const reason = text(500).meta({ example: 'The bank found no such transfer.' });

export const DecidePayoutAttempt = z.strictObject({
  id: id('payout_attempt'),
  outcome: z
    .enum(['arrived', 'failed'])
    .describe('`arrived`: the payout is paid; `failed`: the payout is open again, and can be paid in another way.'),
  reason: reason.describe('Source of the knowledge. Stored in the audit log and, with `failed`, with the attempt.'),
  provider_item_id: text(300)
    .optional()
    .describe('The id of the payment where it was sent. With it, the service notices if the money comes back.')
    .meta({ example: '8AELMXH8UB2P8' }),
});
export type DecidePayoutAttempt = z.infer<typeof DecidePayoutAttempt>;

export const WithdrawPayoutAttempt = z.strictObject({
  id: id('payout_attempt'),
  reason: reason.default('withdrawn').describe('Stored with the attempt.'),
});
export type WithdrawPayoutAttempt = z.infer<typeof WithdrawPayoutAttempt>;
