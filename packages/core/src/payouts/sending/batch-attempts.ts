import { sql } from 'kysely';
import { PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';
import { PayoutAttemptRecord, shownAttempts } from '../../ledger/payouts/payout-attempt.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';

/** Maximum number of attempts in the record of a batch. */
export const MAX_ATTEMPTS_SHOWN = 1_000;

const RECORD = wireRecord(PayoutAttempt, PayoutAttemptRecord);

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

/** Sums and numbers of the payments of a batch in one currency. Superseded attempts count no more. */
export interface PaymentFigures {
  currency: string;
  payouts_count: number;
  unsent_count: number;
  underway_count: number;
  arrived_count: number;
  unknown_count: number;
  unquoted_count: number;
  amount_cents: number;
  unsent_cents: number;
  underway_cents: number;
  arrived_cents: number;
  ended_cents: number;
}

export interface FeeFigures {
  currency: string;
  quoted_cents: number;
  charged_cents: number;
  affiliate_cents: number;
}

/** Returns the figures of the payments of batches by currency, and those of their fees, with two queries. */
export async function paymentFiguresOf(
  { db }: Pick<Ctx, 'db'>,
  batchIds: readonly string[],
): Promise<{ payments: PaymentFigures[]; fees: FeeFigures[] }[]> {
  const [unsent, underway] = [
    sql`state in ('prepared', 'approved')`,
    sql`state in ('sent', 'unknown', 'in_transit', 'unclaimed')`,
  ];
  const { rows: payments } = await sql<PaymentFigures & { batch_id: string }>`
    select batch_id, currency, count(*) as payouts_count,
      count(*) filter (where ${unsent}) as unsent_count,
      count(*) filter (where ${underway}) as underway_count,
      count(*) filter (where state = 'arrived') as arrived_count,
      count(*) filter (where state = 'unknown') as unknown_count,
      count(*) filter (where quoted_fee_cents is null) as unquoted_count,
      sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where ${unsent}), 0) as unsent_cents,
      coalesce(sum(amount_cents) filter (where ${underway}), 0) as underway_cents,
      coalesce(sum(amount_cents) filter (where state = 'arrived'), 0) as arrived_cents,
      coalesce(sum(amount_cents) filter (where state in ('failed', 'withdrawn', 'returned')), 0) as ended_cents
    from payout_attempt where batch_id = any (${batchIds}) and not superseded group by batch_id, currency order by currency`.execute(
    db,
  );
  const { rows: fees } = await sql<FeeFigures & { batch_id: string }>`
    select batch_id, currency, sum(quoted_cents) as quoted_cents, sum(charged_cents) as charged_cents, sum(affiliate_cents) as affiliate_cents from (
      select batch_id, quoted_fee_currency as currency, quoted_fee_cents as quoted_cents, 0 as charged_cents, 0 as affiliate_cents
      from payout_attempt where batch_id = any (${batchIds}) and not superseded and quoted_fee_cents is not null
      union all
      select batch_id, fee_currency, 0, fee_cents, 0 from payout_attempt where batch_id = any (${batchIds}) and fee_cents is not null
      union all
      select batch_id, currency, 0, 0, affiliate_fee_cents from payout_attempt
      where batch_id = any (${batchIds}) and affiliate_fee_cents > 0 and state not in ('failed', 'withdrawn', 'returned')
    ) fee group by batch_id, currency order by currency`.execute(db);
  const ofBatch = <Row extends { batch_id: string }>(rows: readonly Row[], id: string): Omit<Row, 'batch_id'>[] =>
    rows.flatMap(({ batch_id, ...row }) => (batch_id === id ? [row] : []));
  return batchIds.map((id) => ({ payments: ofBatch(payments, id), fees: ofBatch(fees, id) }));
}
