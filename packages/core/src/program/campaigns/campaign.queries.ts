import { foundOrThrow } from '../../platform/call/records.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import type { CampaignRecord } from './campaign.schema.ts';
import { oneOf } from '../../platform/db/one-of.ts';

/** The wire record of a campaign. Accepts an entity or a row: they have the same properties. */
export function campaignRecord({
  account_id: _,
  is_default,
  commission_basis_points,
  ...columns
}: TableRow<'campaign'>): CampaignRecord {
  return {
    ...columns,
    default: is_default,
    commission_percent: commission_basis_points === null ? null : commission_basis_points / 100,
  };
}

/** Lists campaigns that are not archived, newest first. */
export async function listCampaigns(ctx: Ctx, page: { page: number; limit: number }) {
  const query = ctx.db.selectFrom('campaign').where('account_id', '=', ctx.accountId).where('archived_at', 'is', null);
  const { data, pagination } = await paginate(query, page, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(campaignRecord), pagination };
}

/** Returns a campaign, also an archived one. Throws NOT_FOUND. */
export async function getCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const row = await ctx.db
    .selectFrom('campaign')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return campaignRecord(foundOrThrow(row, 'campaign'));
}

/** Finds campaigns by id, for expansions. */
export async function findCampaigns({ db }: Ctx, ids: string[]): Promise<Map<string, CampaignRecord>> {
  const rows = await db.selectFrom('campaign').selectAll().where(oneOf('id', ids)).execute();
  return new Map(rows.map((row) => [row.id, campaignRecord(row)]));
}
