import { sql } from 'kysely';
import { z } from 'zod';
import { IS_OF_SALE } from '../../ledger/commissions/commission.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { IS_COUNTED } from '../../program/links/counted-referrals.ts';

export const CampaignUsage = z
  .object({
    affiliates: z.int().describe('Affiliates of the campaign that are not archived.'),
    links: z.int().describe('Links that are not archived.'),
    promo_codes: z.int().describe('Promo codes whose tracking was not stopped.'),
    subscriptions: z.int().describe('Customers who have bought and whose next sale would still earn a commission.'),
  })
  .meta({ id: 'CampaignUsage', description: 'Numbers of records that depend on a campaign and end when it is archived.' });
export type CampaignUsage = z.infer<typeof CampaignUsage>;

/** Loads the usage of all the given campaigns with one query (docs/rules/program.md#campaigns). */
export async function loadCampaignUsage(
  { db, accountId, now }: Ctx,
  campaigns: readonly { id: string }[],
): Promise<CampaignUsage[]> {
  const ids = campaigns.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<CampaignUsage & { id: string }>`
    select id,
      (select count(*) from affiliate where account_id = ${accountId} and campaign_id = campaign.id and archived_at is null) as affiliates,
      (select count(*) from link where campaign_id = campaign.id and archived_at is null) as links,
      (select count(*) from promo_code where account_id = ${accountId} and campaign_id = campaign.id and stopped_at is null) as promo_codes,
      (select count(*) from referral
        cross join lateral (
          select count(*) as commissions, min(sale.charged_at) as first_charge
          from commission join sale on sale.id = commission.sale_id
          where sale.referral_id = referral.id and ${IS_OF_SALE} and not commission.superseded and commission.state <> 'voided'
        ) earned
        where referral.account_id = ${accountId} and referral.conversion_state = 'conversion' and referral.campaign_id = campaign.id
          and referral.deactivated_at is null and referral.customer_id is not null and ${IS_COUNTED}
          and (campaign.max_commissions is null or earned.commissions < campaign.max_commissions)
          and (campaign.max_commission_period_months is null or earned.first_charge is null
            or earned.first_charge + make_interval(months => campaign.max_commission_period_months) > ${now}::timestamptz)
      ) as subscriptions
    from campaign where account_id = ${accountId} and id = any (${ids})`.execute(db);
  const usageOf = new Map(rows.map(({ id, ...usage }) => [id, usage]));
  return ids.map((id) => usageOf.get(id)!);
}
