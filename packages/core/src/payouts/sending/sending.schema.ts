import { z } from 'zod';
import { findAttemptsOfBatches, MAX_ATTEMPTS_SHOWN, PayoutAttemptRecord } from '../../ledger/payouts/payout-attempt.ts';
import { expandable } from '../../platform/call/expand.ts';
import { modeFilter, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, livemode, signedCents, text } from '../../platform/wire/scalars.ts';
import { affiliateIds, approvedBy, itemsHash, LeftOut, payoutIds, seenHash, Totals } from '../batches/batch.schema.ts';
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

const PayoutBatchTotal = z.object({
  currency: currencyCode(),
  payouts_count: z.int(),
  amount_cents: signedCents(),
  unsent_cents: signedCents().describe('Prepared and not sent.'),
  underway_cents: signedCents().describe('Sent and neither arrived nor ended.'),
  arrived_cents: signedCents().describe('Arrived, and not returned.'),
  ended_cents: signedCents().describe('Failed, withdrawn or returned.'),
});

export const PlainPayoutBatch = z.object({
  id: id('payout_batch'),
  state: z
    .enum(['prepared', 'approved', 'paying', 'paid', 'partly_paid', 'withdrawn'])
    .describe(
      '`prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way; `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.',
    ),
  method: z.string().describe('Kind of the method.').meta({ example: 'paypal' }),
  livemode: livemode(),
  payouts_count: z.int(),
  unknown_count: z.int().describe('Number of payments without an answer.'),
  totals: z.array(PayoutBatchTotal).describe('Totals per currency.'),
  fees: z
    .array(
      z.object({
        currency: currencyCode(),
        quoted_cents: signedCents().describe('Expected.'),
        charged_cents: signedCents().describe('Taken so far.'),
        affiliate_cents: signedCents().describe('Borne by affiliates: not sent to them.'),
      }),
    )
    .describe('Fees per currency: expected when the payments were prepared, and taken so far.'),
  unquoted_count: z.int().describe('Number of payments whose fee was not known before.'),
  items_hash: itemsHash.describe(
    'Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is for.',
  ),
  needs_approval: z.boolean().describe('`true` if somebody else has to approve the payments before they are sent.'),
  waits_until: instant()
    .nullable()
    .describe(
      'Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none waits for that.',
    ),
  waits_for: z
    .enum(['payouts_stopped', 'method_paused', 'allowed_hours', 'rail_stopped', 'rail_missing', 'screening'])
    .nullable()
    .describe(
      'Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some affiliates have not been cleared (`payout_screenings`). `null`: none waits.',
    ),
  prepared_by: z.string().describe('ID of the caller.').meta({ example: 'usr_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
  approved_by: approvedBy.describe('ID of the person who approved the payments. `null` again when the payments have changed.'),
  approved_at: instant().nullable(),
  started_at: instant().nullable().describe('Time from which the payments may be sent.'),
  withdrawn_at: instant().nullable().describe('Time at which the payments were withdrawn before they were sent.'),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainPayoutBatch = z.infer<typeof PlainPayoutBatch>;

export const batchExpansions = expandable<PlainPayoutBatch>()({
  attempts: {
    schema: z
      .array(PayoutAttemptRecord)
      .describe(`At most ${MAX_ATTEMPTS_SHOWN}, oldest first. \`GET /payout_attempts\` with \`batch_id\` lists all.`),
    load: findAttemptsOfBatches,
  },
});

export const PayoutBatchRecord = z
  .object({ ...PlainPayoutBatch.shape, ...batchExpansions.output })
  .meta({ id: 'PayoutBatch', description: 'Payments that the service sends together.' });
export type PayoutBatchRecord = z.infer<typeof PayoutBatchRecord>;

const PayoutBatchFunds = z.object({
  currency: currencyCode(),
  needed_cents: signedCents().describe('The payments, with the fees that are known before and that you bear.'),
  unquoted_count: z.int().describe('Number of payments whose fee is not known before, and is taken besides.'),
  available_cents: signedCents().nullable().describe('Balance at the service that pays. `null`: it does not say.'),
});

export const CreatedPayoutBatch = PayoutBatchRecord.extend({
  funds: z.array(PayoutBatchFunds).describe('Needs of the payments against your balance at the service that pays, per currency.'),
  left_out_count: PreparedPayouts.shape.left_out_count,
  left_out: PreparedPayouts.shape.left_out,
}).meta({ id: 'CreatedPayoutBatch', description: 'New payments, which are not sent yet.' });
export type CreatedPayoutBatch = z.infer<typeof CreatedPayoutBatch>;

export const CreatePayoutBatch = z.strictObject({
  method: PreparePayouts.shape.method,
  affiliate_ids: affiliateIds.optional().describe('Limits the batch to these affiliates.'),
  livemode: PreparePayouts.shape.livemode,
  notes: text(2_000).optional().describe('Internal notes.'),
  dry_run: z.boolean().default(false).describe('If `true`, previews the batch without making it.'),
});
export type CreatePayoutBatch = z.infer<typeof CreatePayoutBatch>;

export const ListPayoutBatches = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  livemode: modeFilter(),
});
export type ListPayoutBatches = z.infer<typeof ListPayoutBatches>;
export const PayoutBatchPage = paginated(
  PlainPayoutBatch.meta({ id: 'ListedPayoutBatch', description: 'Payments that the service sends together, in a list.' }),
);

export const GetPayoutBatch = z.strictObject({ id: id('payout_batch'), ...batchExpansions.input });
export const ApprovePayoutBatch = z.strictObject({
  id: id('payout_batch'),
  items_hash: seenHash.describe(
    'The `items_hash` of the payments that you have seen. With other payments, the request is refused.',
  ),
});
export type ApprovePayoutBatch = z.infer<typeof ApprovePayoutBatch>;
export const PayoutBatchId = z.strictObject({ id: id('payout_batch') });
