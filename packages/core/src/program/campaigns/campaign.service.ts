import { post } from '@affiliate/postgres';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Locked } from '../../platform/call/locks.ts';
import { insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { pickColumns } from '../../platform/call/reference.ts';
import { changesOfMerchantData, newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Instant, laterOf } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { slugify } from '../../platform/wire/latin.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { Campaign, isActive } from './campaign.entity.ts';
import { type CampaignRecord, campaignRecord, type CreateCampaign, type UpdateCampaign } from './campaign.ts';

/** Creates a campaign. With `default`, it replaces the former default campaign in the same transaction (docs/rules/program.md#campaigns). */
export async function createCampaign(ctx: WriteCtx, input: CreateCampaign): Promise<CampaignRecord> {
  const currency = await currencyOfAccount(ctx);
  const { default: isDefault = false, slug, ...terms } = input;
  const id = newId('campaign', ctx.clock.now());
  const freeOrGiven = slug ?? (await freeSlug(ctx, terms.name));
  if (isDefault) await clearDefault(ctx, id);
  const campaign = insert(ctx, Campaign, {
    ...newRecordColumns(ctx, id),
    ...newMerchantColumns(terms),
    name: terms.name,
    url: terms.url,
    slug: freeOrGiven,
    reward_type: terms.reward_type,
    ...rewardOf(NO_REWARD, terms.reward_type, input, currency),
    private: terms.private ?? false,
    private_tokens: terms.private_tokens ?? false,
    minimum_payout_cents: terms.minimum_payout_cents ?? 0,
    minimum_payout_currency: terms.minimum_payout_currency ?? currency,
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
    params: terms.params ?? [],
    psp_coupon_id: terms.psp_coupon_id ?? null,
    is_default: isDefault,
    attribution: terms.attribution ?? 'first_click',
    archived_at: null,
    terms_changed_at: null,
    rewarded_since: null,
  });
  return campaignRecord(campaign);
}

/** Changes the given fields; `archived_at: null` restores an archived campaign. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateCampaign(ctx: WriteCtx, { id, ...input }: UpdateCampaign): Promise<CampaignRecord> {
  const campaign = await lock(ctx, Campaign, id);
  const { default: isDefault, commission_percent: _percent, archived_at, external_id, metadata, ...columns } = input;
  if (isDefault && archived_at !== null && !isActive(campaign))
    throw invalid('default', PROGRAM_REASONS.archived_default_campaign);
  const currency = await currencyOfAccount(ctx);
  if (isDefault === true) await clearDefault(ctx, campaign.id);
  changeCampaign(ctx, campaign, {
    ...columns,
    ...changesOfMerchantData(campaign, { external_id, metadata }),
    ...rewardOf(campaign, columns.reward_type ?? campaign.reward_type, input, currency),
    // A restored campaign does not become the default again.
    ...(archived_at === null && { archived_at }),
    ...(isDefault !== undefined && { is_default: isDefault }),
    updated_at: ctx.now,
  });
  return campaignRecord(campaign);
}

/**
 * Archives a campaign. The campaign is no longer listed, nobody earns from new sales under it, and its links redirect without recording
 * visits. Has no effect on an archived campaign.
 */
export async function archiveCampaign(ctx: WriteCtx, { id }: { id: string }): Promise<CampaignRecord> {
  const campaign = await lock(ctx, Campaign, id);
  if (isActive(campaign)) changeCampaign(ctx, campaign, { archived_at: ctx.now, is_default: false, updated_at: ctx.now });
  return campaignRecord(campaign);
}

/** The columns of a campaign's reward. */
type Reward = Pick<Campaign, 'commission_basis_points' | 'commission_amount_cents' | 'commission_amount_currency'>;

const NO_REWARD: Reward = {
  commission_basis_points: null,
  commission_amount_cents: null,
  commission_amount_currency: null,
};

/**
 * Returns the columns of the reward type. Those of the other type are null, so that a record never shows two rewards. Throws VALIDATION_ERROR if the
 * reward is missing.
 */
export function rewardOf(
  former: Reward,
  type: Campaign['reward_type'],
  input: Partial<Omit<CreateCampaign, 'metadata'>>,
  accountCurrency: string,
): Reward {
  if (type === 'percent') {
    const { commission_percent: percent } = input;
    const commission_basis_points =
      percent === undefined ? former.commission_basis_points : percent === null ? null : Math.round(percent * 100);
    if (commission_basis_points === null) throw invalid('commission_percent', PROGRAM_REASONS.percent_required, 'required');
    return { ...NO_REWARD, commission_basis_points };
  }
  const commission_amount_cents = input.commission_amount_cents ?? former.commission_amount_cents;
  if (commission_amount_cents === null || input.commission_amount_cents === null)
    throw invalid('commission_amount_cents', PROGRAM_REASONS.fixed_amount_required, 'required');
  const commission_amount_currency = input.commission_amount_currency ?? former.commission_amount_currency ?? accountCurrency;
  return { ...NO_REWARD, commission_amount_cents, commission_amount_currency };
}

export async function currencyOfAccount({ db, accountId }: WriteCtx): Promise<string> {
  const account = await db.selectFrom('account').select('currency').where('id', '=', accountId).executeTakeFirstOrThrow();
  return account.currency;
}

/** Clears the flag of the former default campaign. Called before another campaign gets the flag, so that the account never has two defaults. */
async function clearDefault(ctx: WriteCtx, exceptId: string): Promise<void> {
  const former = await ctx.db
    .updateTable('campaign')
    .set({ is_default: false, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('is_default', '=', true)
    .where('id', '!=', exceptId)
    .returning('id')
    .execute();
  for (const { id } of former) ctx.records.noteChanged('campaign', id, { is_default: true });
}

/** Returns a free slug made from `name`. Adds a number if the plain slug is taken. Concurrent calls get different slugs. */
async function freeSlug(ctx: WriteCtx, name: string): Promise<string> {
  await advisoryLock(ctx, 'campaign slug');
  const base = slugify(name) || 'campaign';
  const rows = await ctx.db
    .selectFrom('campaign')
    .select('slug')
    .where('account_id', '=', ctx.accountId)
    .where((where) => where.or([where('slug', '=', base), where('slug', 'like', `${base}-%`)]))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let number = 1; number <= taken.size + 1; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug)) return slug;
  }
  throw invalid('slug', PROGRAM_REASONS.slugs_taken);
}

const TERMS = [
  'commission_basis_points',
  'commission_amount_cents',
  'commission_amount_currency',
  'max_commissions',
  'max_commission_period_months',
  'days_until_commissions_are_due',
] as const;

/** The columns of a campaign that determine what a sale earns. */
export type CampaignTerms = Pick<Campaign, (typeof TERMS)[number]>;

/** The columns of a campaign that determine for how long, and before which others, its links and codes count. */
const RULES = ['attribution', 'days_before_referrals_expire'] as const;
export type CampaignRules = Pick<Campaign, (typeof RULES)[number]>;

const KEPT = [...TERMS, ...RULES] as const;

/**
 * Writes the changes of a campaign, and keeps the terms that they end, because a sale earns by the terms at the time of its charge
 * (docs/rules/attribution.md#history). Nothing else changes the terms or archives a campaign.
 */
function changeCampaign(ctx: WriteCtx, campaign: Locked<Campaign>, changes: Partial<Campaign>): void {
  const { archived_at = campaign.archived_at } = changes;
  const isKept = KEPT.every((name) => changes[name] === undefined || changes[name] === campaign[name]);
  if (isKept && isActive({ archived_at }) === isActive(campaign)) return save(ctx, Campaign, campaign, changes);
  // The clocks of processes differ. If the change ended the terms before the last change did, the order of both would be reversed for good.
  const until = laterOf(ctx.now, campaign.terms_changed_at ?? ctx.now);
  const former = ctx.db
    .insertInto('campaign_terms')
    .values({
      campaign_id: campaign.id,
      until,
      account_id: ctx.accountId,
      archived: !isActive(campaign),
      ...pickColumns(campaign, KEPT),
    })
    // Of two changes in the same millisecond, the first ends the terms that were in force before.
    .onConflict((conflict) => conflict.doNothing());
  post(ctx.db, former.compile());
  save(ctx, Campaign, campaign, { ...changes, terms_changed_at: until });
}

/** Notes that the campaign has reward rules from now on. Charges before this time earn the base reward without a look at rules. */
export function markCampaignRewarded(ctx: WriteCtx, campaign: Locked<Campaign>): void {
  if (campaign.rewarded_since === null) save(ctx, Campaign, campaign, { rewarded_since: ctx.now });
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    campaign_terms: CampaignTermsTable;
  }
}

/** Former terms of a campaign, in force until `until` and since the `until` before them, if any. The row of the campaign has the current ones. */
interface CampaignTermsTable extends CampaignTerms, CampaignRules {
  campaign_id: string;
  until: Instant;
  account_id: string;
  archived: boolean;
}
