import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { type Check, findDiscrepancies } from './find-discrepancies.ts';
import type { ReconcilePayouts, Reconciliation } from './reconcile.schema.ts';

/** Parts of the report that come from modules that depend on this one. */
interface Intake {
  checks: readonly Check[];
  countWaiting: (ctx: Ctx, from: Instant) => Promise<Reconciliation['waiting']>;
}

/**
 * Returns the payouts paid in the window, the number of records that are incomplete until further events arrive, and all discrepancies
 * (docs/rules/payouts.md#reconciliation). Changes nothing.
 */
export async function reconcilePayouts(
  ctx: Ctx,
  { lookback_days }: ReconcilePayouts,
  { checks, countWaiting }: Intake,
): Promise<Reconciliation> {
  const from = plusDays(ctx.now, -lookback_days);
  return {
    lookback_days,
    from,
    until: ctx.now,
    runs: await runsSince(ctx, from),
    totals: await paidSince(ctx, from),
    waiting: await countWaiting(ctx, from),
    discrepancies: await findDiscrepancies(ctx, from, checks),
  };
}

async function runsSince(ctx: Ctx, from: Instant): Promise<Reconciliation['runs']> {
  const rows = await ctx.db
    .selectFrom('payout_run')
    .select(['state', sql<number>`count(*)`.as('runs')])
    .where('account_id', '=', ctx.accountId)
    .where('created_at', '>=', from)
    .groupBy('state')
    .execute();
  const counts = Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
  return { planned: 0, executing: 0, completed: 0, partially_completed: 0, canceled: 0, ...counts };
}

async function paidSince(ctx: Ctx, from: Instant): Promise<Reconciliation['totals']> {
  const { rows } = await sql<Reconciliation['totals'][number]>`
    select payout.currency, count(*) filter (where is_paid) as payouts_count,
      coalesce(sum(payout.amount_cents) filter (where is_paid), 0) as paid_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and claim.run_id is not null), 0) as paid_by_run_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and claim.export_id is not null), 0) as paid_by_export_cents,
      coalesce(sum(payout.amount_cents) filter (where is_paid and claim.payout_id is null), 0) as paid_by_hand_cents,
      coalesce(sum(payout.amount_cents) filter (where not is_paid), 0) as returned_cents
    from (
      select payout.*, true as is_paid from payout
      where account_id = ${ctx.accountId} and livemode and status = 'paid' and paid_at >= ${from}
      union all
      select payout.*, false from payout
      where account_id = ${ctx.accountId} and livemode and status = 'returned' and returned_at >= ${from}
    ) payout left join payout_claim claim on claim.payout_id = payout.id
    group by payout.currency order by payout.currency`.execute(ctx.db);
  return rows;
}
