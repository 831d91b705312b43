import { foundOrThrow } from '../../platform/call/records.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { target } from '../../platform/call/reference.ts';
import { Campaign } from './campaign.entity.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import type { CampaignRecord, ListCampaigns } from './campaign.schema.ts';

/** Returns the wire record of a campaign. Accepts an entity or a row, because both have the same properties. */
export function campaignRecord(
  campaign: TableRow<'campaign'> | Omit<TableRow<'campaign'>, 'account_id' | 'terms_changed_at'>,
): CampaignRecord {
  const {
    account_id: _,
    terms_changed_at: _at,
    is_default,
    commission_basis_points,
    ...columns
  } = {
    account_id: null,
    terms_changed_at: null,
    ...campaign,
  };
  return {
    ...columns,
    default: is_default,
    commission_percent: commission_basis_points === null ? null : commission_basis_points / 100,
  };
}

/** Lists campaigns, newest first. With `archived`, lists only archived campaigns; without it, leaves archived campaigns out. */
export async function listCampaigns(ctx: Ctx, { archived, ...page }: ListCampaigns) {
  const query = ctx.db
    .selectFrom('campaign')
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', archived ? 'is not' : 'is', null);
  const { data, pagination } = await paginate(query, page, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(campaignRecord), pagination };
}

/** Returns a campaign, even an archived one. Throws NOT_FOUND. */
export async function getCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const row = await ctx.db
    .selectFrom('campaign')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return campaignRecord(foundOrThrow(row, 'campaign'));
}

/** A campaign as it appears in other records. */
export const CAMPAIGN = target(
  Campaign,
  [
    'id',
    'name',
    'slug',
    'url',
    'private',
    'private_tokens',
    'reward_type',
    'commission_basis_points',
    'commission_amount_cents',
    'commission_amount_currency',
    'minimum_payout_cents',
    'minimum_payout_currency',
    'max_commission_period_months',
    'max_commissions',
    'days_before_referrals_expire',
    'days_until_commissions_are_due',
    'affiliate_dashboard_text',
    'custom_reward_description',
    'welcome_text',
    'customers_visible_to_affiliates',
    'sale_description_visible_to_affiliates',
    'attribution',
    'parameter_type',
    'psp_coupon_id',
    'is_default',
    'archived_at',
    'created_at',
    'updated_at',
  ],
  {},
  (row): CampaignRecord => campaignRecord(row),
);
