import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo, visibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import type { KnownMethod } from './payment-outlook.ts';
import { PayoutAttempt } from './payout-attempt.entity.ts';
import { attemptExpansions, type ListPayoutAttempts } from './payout-attempt.expansions.ts';
import { PayoutAttemptRecord } from './payout-attempt.schema.ts';

const RECORD = wireRecord(PayoutAttempt, PayoutAttemptRecord);

/** SQL condition: the attempt was made, so a row of `payout_attempt` is more than a candidate. */
const WAS_MADE = sql<boolean>`payout_attempt.state <> 'candidate'`;

/** Returns attempts in their wire form. */
export function shownAttempts({ services }: Pick<Ctx, 'services'>, rows: readonly object[]): PayoutAttemptRecord[] {
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
