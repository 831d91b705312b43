import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { insert, lock, newRecordColumns, referenced, save } from '../../platform/call/records.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { markCampaignRewarded } from '../../program/campaigns/campaign.service.ts';
import { lockNamedCampaign } from '../lock-campaign.ts';
import { REWARD_REASONS } from '../reasons.ts';
import { Tier } from './tier.entity.ts';
import { tierRecord } from './tier.queries.ts';
import type { CreateTier, TierRecord, UpdateTier } from './tier.schema.ts';

/** Creates a tier. Throws VALIDATION_ERROR. */
export async function createTier(ctx: WriteCtx, { currency: stated, ...input }: CreateTier): Promise<TierRecord> {
  const currency = stated ?? null;
  const campaign = await lockNamedCampaign(ctx, input.campaign_id);
  if ((input.metric === 'revenue') !== (currency !== null)) throw invalid('currency', REWARD_REASONS.tier_currency, 'required');
  const columns = newRecordColumns(ctx, newId('tier', ctx.clock.now()));
  const tier = insert(ctx, Tier, { ...columns, ...input, currency, ended_at: null });
  markCampaignRewarded(ctx, campaign);
  await scheduleTiers(ctx, campaign.id);
  return tierRecord(tier);
}

/** Renames a tier. Throws NOT_FOUND; CONFLICT for an ended tier. */
export async function updateTier(ctx: WriteCtx, { id, name }: UpdateTier): Promise<TierRecord> {
  const tier = await lock(ctx, Tier, id);
  if (tier.ended_at !== null) throw new DomainError('CONFLICT', REWARD_REASONS.tier_ended);
  save(ctx, Tier, tier, { name, updated_at: ctx.now });
  return tierRecord(tier);
}

/** Ends a tier. No affiliate has it at charges from now on. Has no effect on an ended tier. Throws NOT_FOUND. */
export async function endTier(ctx: WriteCtx, { id }: { id: string }): Promise<TierRecord> {
  const tier = await lock(ctx, Tier, id);
  if (tier.ended_at === null) {
    save(ctx, Tier, tier, { ended_at: ctx.now, updated_at: ctx.now });
    await scheduleTiers(ctx, tier.campaign_id);
  }
  return tierRecord(tier);
}

/** Has the workers settle the tiers of a campaign from now on, because one of them has begun or ended. */
export async function scheduleTiers({ db, accountId, now }: WriteCtx, campaignId: string): Promise<void> {
  await sql`
    insert into tier_schedule (campaign_id, account_id, due_from) values (${campaignId}, ${accountId}, ${now})
    on conflict (campaign_id) do update set due_from = least(tier_schedule.due_from, excluded.due_from)`.execute(db);
}

/** Throws VALIDATION_ERROR for a tier that is not one of the campaign. `path` names the field with the ids. */
export async function assertTiers(ctx: WriteCtx, campaignId: string, ids: readonly string[], path: string): Promise<void> {
  for (const [i, id] of ids.entries()) {
    const tier = await referenced(ctx, Tier, id, `${path}.${i}`);
    if (tier.campaign_id !== campaignId) throw invalid(`${path}.${i}`, REWARD_REASONS.tier_of_other_campaign);
  }
}
