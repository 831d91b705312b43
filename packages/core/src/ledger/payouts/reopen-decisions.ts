import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { queueLeadDecisions, queueSaleDecisions, queueSharingCaps } from '../queued-decisions/queue-decisions.ts';
import { IS_LIVE_SALE } from '../sales/sale.entity.ts';

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
