/** Has the unpaid rewards of sales and leads decided again, by a job that starts after the commit (`attribution/settle-decisions.ts`). */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';

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
 * Has the unpaid sales decided again that share a cap with commissions and may get another part of it (docs/rules/rewards.md#amounts).
 *
 * @param commissions SQL query: ids of commissions
 * @param since time of the first charge that may get another part; null for all
 * @param except ids of sales that are decided already
 */
export function queueSharingCaps(
  ctx: WriteCtx,
  commissions: RawBuilder<unknown>,
  since: Instant | null,
  except: readonly string[] = [],
): void {
  queueSaleDecisions(
    ctx,
    sql`
    with shared as materialized (
      select distinct commission.affiliate_id, version.per, case when version.per = 'referral' then commission.referral_id end as referral_id,
        case when version.per = 'referral' then sale.customer_id end as customer_id,
        case when "window" <> 'ever' then date_trunc("window", sale.charged_at, 'UTC') end as begins, "window"
      from commission join sale on sale.id = commission.sale_id cross join lateral (
        select distinct cap ->> 'per' as per, cap ->> 'window' as "window" from reward_rule_version version
        where version.campaign_id = commission.campaign_id and cap ->> 'per' <> 'sale'
      ) version
      where commission.account_id = ${ctx.accountId} and commission.id in (${commissions})
    )
    select distinct sale.id, account_id from shared cross join lateral (
      select id, account_id from sale
      where affiliate_id = shared.affiliate_id and charged_at >= ${since ?? '-infinity'}::timestamptz and id <> all (${except}::text[])
        and (begins is null or date_trunc("window", charged_at, 'UTC') = begins)
        and (per = 'affiliate' or referral_id = shared.referral_id or customer_id = shared.customer_id)
        and (no_commission_reason = 'nothing_to_earn' or exists (
          select from commission where sale_id = sale.id and kind in ('sale', 'bonus') and not superseded and state in ('pending', 'due')))
    ) sale`,
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
