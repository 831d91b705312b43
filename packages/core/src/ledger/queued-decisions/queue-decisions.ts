/** Has the unpaid rewards of sales and leads decided again, by a job that starts after the commit (`attribution/settle-decisions.ts`). */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    queued_sale_decision: QueuedSaleDecisionTable;
    queued_lead_decision: QueuedLeadDecisionTable;
  }
}

/** A sale to decide again, because the tiers of its affiliate, the sales before it, or what counts for its milestones turned out to be others. */
interface QueuedSaleDecisionTable {
  sale_id: string;
  account_id: string;
}

/** A referral whose reward for a lead is to be decided again. */
interface QueuedLeadDecisionTable {
  referral_id: string;
  account_id: string;
}

/**
 * Has the commissions of sales decided again, with their bonuses and milestones.
 *
 * @param sales SQL query: `id` and `account_id` of the sales
 */
export function queueSaleDecisions(ctx: WriteCtx, sales: RawBuilder<unknown>): void {
  // In the order of their ids, so that transactions that queue the same sales do not block each other.
  queue(
    ctx,
    sql`
    insert into queued_sale_decision (sale_id, account_id) select id, account_id from (${sales}) sale order by id
    on conflict (sale_id) do nothing`,
  );
}

/**
 * Has rewards for leads decided again.
 *
 * @param referrals SQL query: `id` and `account_id` of the referrals of the leads
 */
export function queueLeadDecisions(ctx: WriteCtx, referrals: RawBuilder<unknown>): void {
  queue(
    ctx,
    sql`
    insert into queued_lead_decision (referral_id, account_id) select id, account_id from (${referrals}) referral order by id
    on conflict (referral_id) do nothing`,
  );
}

function queue(ctx: WriteCtx, rows: RawBuilder<unknown>): void {
  post(ctx.db, rows.compile(ctx.db));
  ctx.afterCommit(() => ctx.services.jobs.send('decisions'));
}
