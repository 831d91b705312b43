import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { getRow, insert, lock, newRecordColumns, referenced, save } from '../../platform/call/records.ts';
import { cents, instant as instantColumn, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { allOf, updatedRange, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { currency, id, instant, livemode, MAX_CENTS, nameText } from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { AffiliateEventData } from '../../program/affiliates/affiliate.ts';
import { markCampaignRewarded } from '../../program/campaigns/campaign.service.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { lockNamedCampaign } from '../lock-campaign.ts';
import { REWARD_REASONS } from '../reasons.ts';
import { type Metric, METRICS, MILESTONE_WINDOWS, type MilestoneWindow } from '../worth/rule.ts';

export const Tier = defineEntity({
  name: 'Tier',
  tableName: 'tier',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    campaign_id: p.string(),
    name: p.string(),
    metric: p.string().$type<Metric>(),
    /** Currency of revenue. Null for other metrics. */
    currency: p.string().strictNullable(),
    window: p.string().$type<MilestoneWindow>(),
    /** Number from which the tier is reached. What it counts never changes, so that the tier of an earlier charge stays the same. */
    from: cents(),
    ended_at: instantColumn().strictNullable(),
  },
});

/** A tier of a campaign: what an affiliate must have reached in the last closed window to have it. */
export type Tier = Row<typeof Tier>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    tier: InferKyselyTable<typeof Tier>;
  }
}

const fields = {
  campaign_id: id('campaign'),
  name: nameText(200).describe('Name of the tier, which its affiliates see.').meta({ example: 'Gold' }),
  metric: z
    .enum(METRICS)
    .describe('`customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in `currency`, in cents.'),
  window: z
    .enum(MILESTONE_WINDOWS)
    .describe(
      'Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a charge. `ever`: everything before the month of the charge.',
    ),
  from: z.int().min(1).max(MAX_CENTS).describe('Number from which the tier is reached.').meta({ example: 10 }),
};

export const TierRecord = z
  .object({
    id: id('tier'),
    livemode: livemode(),
    ...fields,
    currency: currency().nullable().describe('Currency of `revenue`; `null` for other metrics.'),
    ended_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Tier', description: 'A tier of a campaign. Reward rules can pay more to affiliates who have reached it.' });
export type TierRecord = z.infer<typeof TierRecord>;

export const TierEventData = z.object(TierRecord.shape).meta({ id: 'TierEventData' });

export const CreateTier = z.strictObject({
  ...fields,
  window: fields.window.default('month'),
  currency: currency().optional().describe('Required for `revenue`.'),
});
export type CreateTier = z.infer<typeof CreateTier>;

export const UpdateTier = z.strictObject({ id: id('tier'), name: fields.name });
export type UpdateTier = z.infer<typeof UpdateTier>;

export const TierId = z.strictObject({ id: id('tier') });

export const ListTiers = z.strictObject({
  ...pageInput,
  ...updatedRange,
  ...sortBy('updated_at'),
  campaign_id: id('campaign').optional(),
  ended: z.boolean().optional().describe('`true`: ended tiers only. By default, ended tiers are left out.'),
});
export type ListTiers = z.infer<typeof ListTiers>;
export const TierPage = paginated(TierRecord);

const NamedTier = z.object({ id: id('tier'), name: z.string() });

/** `data` of `affiliate.tier_changed`: the affiliate, with the tiers that it has from now on, and those that it had before. */
export const TierChangeEventData = z
  .object({
    ...AffiliateEventData.shape,
    tier_campaign_id: id('campaign').describe('Campaign of the tiers.'),
    tiers: z.array(NamedTier).describe('The tiers that the affiliate has now, from the lowest.'),
    previous_tiers: z.array(NamedTier).describe('The tiers that the affiliate had before.'),
  })
  .meta({ id: 'TierChangeEventData' });

/** A period in which an affiliate has a tier. */
export const AffiliateTier = z
  .object({
    tier_id: id('tier'),
    name: z.string(),
    campaign_id: id('campaign'),
    since: instant(),
    until: instant().nullable().describe('`null` if the affiliate has the tier now.'),
  })
  .meta({ id: 'AffiliateTier', description: 'A period in which an affiliate has a tier.' });
export type AffiliateTier = z.infer<typeof AffiliateTier>;

/** Maximum number of periods of an affiliate that one answer shows. */
const MAX_TIER_PERIODS = 100;

const RECORD = wireRecord(Tier, TierRecord);

/** Returns the wire record of a tier. */
function tierRecord(tier: Tier): TierRecord {
  return RECORD.of(tier);
}

export const ANNOUNCED_TIER: AnnouncedRecord = {
  table: Tier.meta.tableName,
  columns: RECORD.columns,
  record: () => sql`select * from tier where id = change.id`,
  data: RECORD.json('record', {}),
  types: [['tier.created', CREATED]],
  updated: 'tier.updated',
};

/** Lists tiers, newest first unless sorted otherwise. With `ended`, lists only ended tiers; without it, leaves ended tiers out. */
export async function listTiers(ctx: Ctx, { ended, ...input }: ListTiers) {
  let query = ctx.db
    .selectFrom('tier')
    .where('account_id', '=', ctx.accountId)
    .where('ended_at', ended ? 'is not' : 'is', null)
    .where(allOf(whenUpdated('updated_at', input)));
  if (input.campaign_id !== undefined) query = query.where('campaign_id', '=', input.campaign_id);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder(input.sort, { table: 'tier' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map(tierRecord), pagination };
}

/** Returns a tier, even an ended one. Throws NOT_FOUND. */
export async function getTier(ctx: Ctx, id: string): Promise<TierRecord> {
  return tierRecord(await getRow(ctx, Tier, id));
}

/** Returns the periods in which each affiliate has tiers, newest first, at most `MAX_TIER_PERIODS` of each, for expansions. */
export async function findTiersOfAffiliates(
  { db, accountId }: Ctx,
  affiliates: readonly { id: string }[],
): Promise<AffiliateTier[][]> {
  const ids = affiliates.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<AffiliateTier & { affiliate_id: string }>`
    select period.* from unnest(${ids}::text[]) as affiliate (id)
    cross join lateral (
      select affiliate_id, tier_id, tier.name, affiliate_tier.campaign_id, since, until
      from affiliate_tier join tier on tier.id = affiliate_tier.tier_id
      where affiliate_id = affiliate.id and affiliate_tier.account_id = ${accountId}
      order by since desc, tier."from" desc, tier_id limit ${MAX_TIER_PERIODS}
    ) period`.execute(db);
  const byAffiliate = Map.groupBy(rows, ({ affiliate_id }) => affiliate_id);
  return ids.map((id) => (byAffiliate.get(id) ?? []).map(({ affiliate_id: _, ...period }) => period));
}

/** Loads the tiers of campaigns, also ended ones, which still hold for charges before their end. */
export function tiersOf({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>, campaignIds: readonly string[]): Promise<Tier[]> {
  return db.selectFrom('tier').selectAll().where('account_id', '=', accountId).where('campaign_id', 'in', campaignIds).execute();
}

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
