import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { getRow } from '../../platform/call/records.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { Tier } from './tier.entity.ts';
import { type AffiliateTier, MAX_TIER_PERIODS, type ListTiers, TierRecord } from './tier.schema.ts';

const RECORD = wireRecord(Tier, TierRecord);

/** Returns the wire record of a tier. */
export function tierRecord(tier: Tier): TierRecord {
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
