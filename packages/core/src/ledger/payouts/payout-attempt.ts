import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { expandable } from '../../platform/call/expand.ts';
import { isVisibleTo, visibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { allOf, modeFilter, oneOrMore, updatedRange, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, livemode, signedCents } from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { toAffiliate } from '../../program/affiliates/affiliate.ts';
import type { KnownMethod } from './payment-outlook.ts';
import { ATTEMPT_STATES, PayoutAttempt } from './payout-attempt.entity.ts';

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

const attemptExpansions = expandable<PayoutAttemptRecord>()({ affiliate: toAffiliate });

export const ListPayoutAttempts = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...attemptExpansions.input,
  ...updatedRange,
  payout_id: id('payout').optional(),
  affiliate_id: id('affiliate').optional(),
  batch_id: z
    .string()
    .max(200)
    .optional()
    .describe('Returns the attempts of an export, a run or a batch.')
    .meta({ example: 'pexp_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
  method: z.string().max(40).optional().describe('Returns the attempts by a kind of method.').meta({ example: 'paypal' }),
  state: oneOrMore(ATTEMPT_STATES),
  livemode: modeFilter(),
});
export type ListPayoutAttempts = z.infer<typeof ListPayoutAttempts>;
export const PayoutAttemptPage = paginated(
  z.object({ ...PayoutAttemptRecord.shape, ...attemptExpansions.output }).meta({
    id: 'ListedPayoutAttempt',
    description: 'One try to pay a payout, on request with the affiliate.',
  }),
);

const RECORD = wireRecord(PayoutAttempt, PayoutAttemptRecord);

/** SQL condition: the attempt was made, so a row of `payout_attempt` is more than a candidate. */
const WAS_MADE = sql<boolean>`payout_attempt.state <> 'candidate'`;

/** Returns attempts in their wire form. */
function shownAttempts({ services }: Pick<Ctx, 'services'>, rows: readonly object[]): PayoutAttemptRecord[] {
  return (rows as Omit<PayoutAttemptRecord, 'can_cancel'>[]).map((row) => ({
    ...row,
    can_cancel:
      row.provider_item_id !== null &&
      row.cancel_requested_at === null &&
      services.payoutMethods.some(({ kind, recalls }: KnownMethod) => kind === row.method && recalls?.includes(row.state)),
  }));
}

/** Lists attempts, newest first. */
export async function listPayoutAttempts(ctx: Ctx, asked: ListPayoutAttempts): Promise<Page<PayoutAttemptRecord>> {
  const input = withStoredMode(ctx, asked);
  let query = ctx.db
    .selectFrom('payout_attempt')
    .where('account_id', '=', ctx.accountId)
    .where(WAS_MADE)
    .where(isVisibleTo(ctx, 'payout_attempt'));
  for (const column of ['payout_id', 'affiliate_id', 'batch_id', 'method'] as const)
    if (input[column] !== undefined) query = query.where(column, '=', input[column]);
  if (input.state) query = query.where(oneOf('state', input.state));
  if (input.livemode !== undefined) query = query.where('livemode', '=', input.livemode);
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_attempt' }),
    select: (all) => all.select(RECORD.columns),
  });
  return { data: await attemptExpansions.into(ctx, shownAttempts(ctx, data), input.expand), pagination };
}

/** Returns an attempt. Throws NOT_FOUND. */
export async function getPayoutAttempt(ctx: Ctx, { id }: { id: string }): Promise<PayoutAttemptRecord> {
  const attempt = await ctx.db
    .selectFrom('payout_attempt')
    .select(RECORD.columns)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .where(WAS_MADE)
    .executeTakeFirst();
  const [shown] = shownAttempts(ctx, attempt ? [attempt] : []);
  return foundOrThrow(visibleTo(ctx, shown), 'payout attempt');
}

/** Finds the attempts of payouts, oldest first. */
export async function findAttemptsOfPayouts(ctx: Ctx, payouts: readonly { id: string }[]): Promise<PayoutAttemptRecord[][]> {
  const ids = payouts.map(({ id }) => id);
  const rows = await ctx.db
    .selectFrom('payout_attempt')
    .select(RECORD.columns)
    .where(oneOf('payout_id', ids))
    .where(WAS_MADE)
    .orderBy('id')
    .execute();
  const attempts = Map.groupBy(shownAttempts(ctx, rows), ({ payout_id }) => payout_id);
  return ids.map((id) => attempts.get(id) ?? []);
}

/** Maximum number of attempts in the record of a batch. */
export const MAX_ATTEMPTS_SHOWN = 1_000;

/** Finds the first attempts of each batch, oldest first. */
export async function findAttemptsOfBatches(ctx: Ctx, batches: readonly { id: string }[]): Promise<PayoutAttemptRecord[][]> {
  return Promise.all(
    batches.map(async ({ id }) => {
      const query = ctx.db.selectFrom('payout_attempt').select(RECORD.columns).where('account_id', '=', ctx.accountId);
      const rows = await query.where('batch_id', '=', id).orderBy('id').limit(MAX_ATTEMPTS_SHOWN).execute();
      return shownAttempts(ctx, rows);
    }),
  );
}
