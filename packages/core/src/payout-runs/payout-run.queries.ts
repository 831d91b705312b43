import { sql } from 'kysely';
import { found } from '../api/records.ts';
import type { Ctx } from '../context.ts';
import { ISSUE_MESSAGES, MAX_ITEMS_SHOWN, type PayoutRunRecord } from './payout-run.schema.ts';

/** A run with its totals, its issues, and its first items. Throws NOT_FOUND. */
export async function getPayoutRun(ctx: Ctx, id: string): Promise<PayoutRunRecord> {
  const row = await ctx.db
    .selectFrom('payout_run')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const { account_id: _, request_fingerprint: _print, working: _working, ...columns } = found(row, 'payout run');
  return {
    ...columns,
    totals: await totalsOf(ctx, id),
    issues: await issuesOf(ctx, id),
    items: await itemsOf(ctx, id),
  };
}

async function totalsOf({ db }: Ctx, runId: string): Promise<PayoutRunRecord['totals']> {
  const { rows } = await sql<PayoutRunRecord['totals'][number]>`
    select currency, count(*) as items_count, sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where state in ('candidate', 'planned')), 0) as planned_cents,
      coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid_cents,
      coalesce(sum(amount_cents) filter (where state = 'failed'), 0) as failed_cents,
      coalesce(sum(amount_cents) filter (where state = 'excluded'), 0) as excluded_cents,
      coalesce(sum(amount_cents) filter (where state = 'canceled'), 0) as canceled_cents
    from payout_run_item where run_id = ${runId} group by currency order by currency`.execute(db);
  return rows;
}

async function issuesOf({ db }: Ctx, runId: string): Promise<PayoutRunRecord['issues']> {
  const { rows } = await sql<PayoutRunRecord['issues'][number]>`
    select issue_code as code, count(*) as items_count
    from payout_run_item where run_id = ${runId} and state = 'failed' group by issue_code order by issue_code`.execute(db);
  return rows;
}

async function itemsOf({ db }: Ctx, runId: string): Promise<PayoutRunRecord['items']> {
  const rows = await db
    .selectFrom('payout_run_item')
    .select(['payout_id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'commissions_count', 'issue_code'])
    .where('run_id', '=', runId)
    .orderBy(sql`state = 'failed'`, 'desc')
    .orderBy('payout_id')
    .limit(MAX_ITEMS_SHOWN)
    .execute();
  return rows.map(({ issue_code, state, ...item }) => ({
    ...item,
    state: state === 'candidate' ? 'planned' : state,
    issue: state === 'failed' && issue_code !== null ? { code: issue_code, message: ISSUE_MESSAGES[issue_code] } : null,
  }));
}
