/** Has the unpaid rewards of sales and leads decided again, by a job that starts after the commit (`attribution/settle-decisions.ts`). */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IS_LIVE_SALE } from '../sales/sale.entity.ts';

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

/**
 * Has milestones, rewards for leads, contested sales and sales that share caps decided again, by a job, after their commissions have become unpaid again, in a payout or by
 * hand: facts do not change them while they are claimed or paid (docs/rules/rewards.md#milestones, docs/rules/attribution.md#paid-commissions). A
 * milestone is settled with the first sale that may count for it. Also after a person has voided a milestone, which may make others right, or had a
 * reward reconsidered.
 *
 * @param commissionIds the ids of the commissions
 */
export function reopenDecisions(ctx: WriteCtx, commissionIds: RawBuilder<unknown>): void {
  const isFreed = sql<boolean>`(account_id = ${ctx.accountId} and id in (${commissionIds}) and state in ('pending', 'due'))`;
  const isVoided = sql<boolean>`(account_id = ${ctx.accountId} and id in (${commissionIds}) and state = 'voided' and (voided_by_hand or superseded))`;
  queueSharingCaps(ctx, commissionIds, null);
  queueLeadDecisions(
    ctx,
    sql`select referral_id as id, account_id from commission where kind = 'lead' and (${isFreed} or (${isVoided} and superseded))`,
  );
  queueSaleDecisions(
    ctx,
    sql`
    with freed as materialized (
      select account_id, affiliate_id, campaign_id, livemode, milestone_since from commission where kind = 'milestone' and (${isFreed} or ${isVoided})
    )
    select counted.id, counted.account_id
    from freed cross join lateral (
      select sale.id, sale.account_id from sale join referral on referral.id = sale.referral_id
      where sale.account_id = freed.account_id and sale.affiliate_id = freed.affiliate_id and referral.campaign_id = freed.campaign_id
        and ${IS_LIVE_SALE} = freed.livemode and sale.charged_at >= freed.milestone_since
      order by sale.charged_at, sale.id limit 1
    ) counted
    union
    select id, account_id from sale
    where account_id = ${ctx.accountId} and contested is not null
      and id in (select sale_id from commission where kind in ('sale', 'bonus') and ${isFreed})
    union
    select sale_id, account_id from commission
    where kind = 'bonus' and ((${isFreed} and contested is not null) or (${isVoided} and superseded))`,
  );
}
