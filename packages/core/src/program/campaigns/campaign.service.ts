import { Account } from '../../identity/accounts/account.entity.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns, loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Campaign } from './campaign.entity.ts';
import { campaignRecord } from './campaign.queries.ts';
import type { CampaignRecord, CreateCampaign, UpdateCampaign } from './campaign.schema.ts';
import { freeSlug } from './slug.ts';

/** Creates a campaign. With `default`, it replaces the former default campaign in the same transaction (docs/domain-rules.md#campaigns). */
export async function createCampaign(ctx: WriteCtx, input: CreateCampaign): Promise<CampaignRecord> {
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.accountId });
  const { default: isDefault = false, slug, ...terms } = input;
  const campaign = ctx.em.create(Campaign, {
    ...newRecordColumns(ctx, newId('campaign', ctx.clock.now())),
    name: terms.name,
    url: terms.url,
    slug: slug ?? (await freeSlug(ctx, terms.name)),
    reward_type: terms.reward_type,
    commission_basis_points: null,
    commission_amount_cents: null,
    commission_amount_currency: null,
    private: terms.private ?? false,
    private_tokens: terms.private_tokens ?? false,
    minimum_payout_cents: terms.minimum_payout_cents ?? 0,
    minimum_payout_currency: terms.minimum_payout_currency ?? account.currency,
    max_commission_period_months: terms.max_commission_period_months ?? null,
    max_commissions: terms.max_commissions ?? null,
    days_before_referrals_expire: terms.days_before_referrals_expire ?? 60,
    days_until_commissions_are_due: terms.days_until_commissions_are_due ?? 30,
    affiliate_dashboard_text: terms.affiliate_dashboard_text ?? null,
    custom_reward_description: terms.custom_reward_description ?? null,
    welcome_text: terms.welcome_text ?? null,
    customers_visible_to_affiliates: terms.customers_visible_to_affiliates ?? false,
    sale_description_visible_to_affiliates: terms.sale_description_visible_to_affiliates ?? true,
    parameter_type: terms.parameter_type ?? 'query',
    psp_coupon_id: terms.psp_coupon_id ?? null,
    is_default: false,
    attribution: terms.attribution ?? 'first_click',
    archived_at: null,
  });
  setReward(campaign, input, account.currency);
  if (isDefault) await makeDefault(ctx, campaign);
  await ctx.em.flush();
  return campaignRecord(campaign);
}

/** Changes the given fields; `archived_at: null` restores an archived campaign. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateCampaign(ctx: WriteCtx, { id, ...input }: UpdateCampaign): Promise<CampaignRecord> {
  const campaign = await loadForUpdate(ctx, Campaign, id);
  const { default: isDefault, commission_percent: _percent, archived_at: archivedAt, ...columns } = input;
  if (archivedAt === null) campaign.restore(ctx.now);
  if (isDefault && !campaign.isActive())
    throw invalid('default', 'An archived campaign cannot be the default. Restore it first.');
  Object.assign(campaign, columns, { updated_at: ctx.now });
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.accountId });
  setReward(campaign, input, account.currency);
  if (isDefault === true) await makeDefault(ctx, campaign);
  if (isDefault === false) campaign.is_default = false;
  await ctx.em.flush();
  return campaignRecord(campaign);
}

/**
 * Archives a campaign. The campaign is no longer listed, nobody earns from new sales under it, and its links redirect without recording
 * visits. Has no effect on an archived campaign.
 */
export async function archiveCampaign(ctx: WriteCtx, { id }: { id: string }): Promise<CampaignRecord> {
  const campaign = await loadForUpdate(ctx, Campaign, id);
  campaign.archive(ctx.now);
  return campaignRecord(campaign);
}

/** Sets the fields of the reward type and clears those of the other type, so that a record never shows two rewards. */
function setReward(campaign: Campaign, input: Partial<CreateCampaign>, accountCurrency: string): void {
  if (campaign.reward_type === 'percent') {
    if (input.commission_percent !== undefined) {
      campaign.commission_basis_points = input.commission_percent === null ? null : Math.round(input.commission_percent * 100);
    }
    if (campaign.commission_basis_points === null)
      throw invalid('commission_percent', 'Required if reward_type is percent.', 'required');
    campaign.commission_amount_cents = null;
    campaign.commission_amount_currency = null;
    return;
  }
  if (input.commission_amount_cents !== undefined) campaign.commission_amount_cents = input.commission_amount_cents;
  if (campaign.commission_amount_cents === null)
    throw invalid('commission_amount_cents', 'Required if reward_type is fixed.', 'required');
  campaign.commission_amount_currency =
    input.commission_amount_currency ?? campaign.commission_amount_currency ?? accountCurrency;
  campaign.commission_basis_points = null;
}

/**
 * Makes a campaign the account's default. Clears the flag of the former default before the flush sets it on this campaign, so that the
 * account never has two defaults.
 */
async function makeDefault(ctx: WriteCtx, campaign: Campaign): Promise<void> {
  await ctx.db
    .updateTable('campaign')
    .set({ is_default: false, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('is_default', '=', true)
    .where('id', '!=', campaign.id)
    .execute();
  campaign.is_default = true;
}
