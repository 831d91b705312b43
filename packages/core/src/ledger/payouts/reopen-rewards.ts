import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { IS_LIVE_SALE } from '../sales/sale-mode.ts';

/**
 * Has milestones and rewards for leads decided again, by a job, after a payout gave them back unpaid: facts do not change them while they are claimed
 * or paid (docs/rules/rewards.md#milestones). A milestone is settled with the first sale that may count for it.
 *
 * @param commissionIds the ids of the commissions
 */
export function reopenRewards(ctx: WriteCtx, commissionIds: RawBuilder<unknown>): void {
  const reopened = sql`
    with freed as materialized (
      select kind, account_id, affiliate_id, campaign_id, referral_id, livemode, milestone_since from commission
      where account_id = ${ctx.accountId} and id in (${commissionIds}) and kind in ('milestone', 'lead') and state in ('pending', 'due')
    ), leads as (
      insert into lead_revision (referral_id, account_id)
      select distinct referral_id, account_id from freed where kind = 'lead' order by referral_id
      on conflict (referral_id) do nothing
    )
    insert into tier_revision (sale_id, account_id)
    select distinct counted.id, counted.account_id
    from freed cross join lateral (
      select sale.id, sale.account_id from sale join referral on referral.id = sale.referral_id
      where sale.account_id = freed.account_id and sale.affiliate_id = freed.affiliate_id and referral.campaign_id = freed.campaign_id
        and ${IS_LIVE_SALE} = freed.livemode and sale.charged_at >= freed.milestone_since
      order by sale.charged_at, sale.id limit 1
    ) counted
    where freed.kind = 'milestone' order by counted.id
    on conflict (sale_id) do nothing`;
  post(ctx.db, reopened.compile(ctx.db));
  ctx.afterCommit(() => ctx.services.jobs.send('tiers'));
}
