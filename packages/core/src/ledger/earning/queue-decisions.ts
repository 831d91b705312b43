import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';

/**
 * Has the unpaid commissions of sales decided again, by a job that starts after the commit (`attribution/check-tiers.ts`).
 *
 * @param sales SQL query: `id` and `account_id` of the sales
 */
export function queueDecisions(ctx: WriteCtx, sales: RawBuilder<unknown>): void {
  // In the order of their ids, so that transactions that queue the same sales do not block each other.
  const queued = sql`
    insert into tier_revision (sale_id, account_id) select id, account_id from (${sales}) sale order by id
    on conflict (sale_id) do nothing`;
  post(ctx.db, queued.compile(ctx.db));
  ctx.afterCommit(() => ctx.services.jobs.send('tiers'));
}
