import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { getRow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { jsonLiteral } from '../../platform/db/json-text.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { allOf, whatIds, whatValues, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { Campaign } from './campaign.entity.ts';
import { CampaignRecord, type ListCampaigns } from './campaign.schema.ts';

const RECORD = wireRecord(Campaign, CampaignRecord);
const COLUMNS = [...RECORD.columns, 'is_default', 'commission_basis_points'] as const;

/** Returns the wire record of a campaign. */
export function campaignRecord(campaign: Pick<TableRow<'campaign'>, (typeof COLUMNS)[number]>): CampaignRecord {
  const { is_default, commission_basis_points } = campaign;
  return RECORD.of(campaign, {
    default: is_default,
    commission_percent: commission_basis_points === null ? null : commission_basis_points / 100,
  });
}

const percentOf = (basisPoints: RawBuilder<unknown>) => jsonLiteral(sql`((${basisPoints})::float8 / 100)`);

export const ANNOUNCED_CAMPAIGN: AnnouncedRecord = {
  table: Campaign.meta.tableName,
  columns: COLUMNS,
  record: () => sql`select * from campaign where id = change.id`,
  data: RECORD.json('record', {
    default: jsonLiteral(sql`record.is_default`),
    commission_percent: percentOf(sql`record.commission_basis_points`),
  }),
  former: {
    default: ['is_default', jsonLiteral(sql`change.previous ->> 'is_default'`)],
    commission_percent: ['commission_basis_points', percentOf(sql`change.previous ->> 'commission_basis_points'`)],
  },
  types: [['campaign.created', CREATED]],
  updated: 'campaign.updated',
};

/** Lists campaigns, newest first unless sorted otherwise. With `archived`, lists only archived campaigns; without it, leaves archived campaigns out. */
export async function listCampaigns(ctx: Ctx, { archived, ...page }: ListCampaigns) {
  const query = ctx.db
    .selectFrom('campaign')
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', archived ? 'is not' : 'is', null);
  const { data, pagination } = await paginate(
    query.where(
      allOf([
        ...whenUpdated('updated_at', page),
        ...whatMerchantData(ctx.accountId, page),
        ...whatIds('id', page),
        ...whatValues({ slug: page.slug }),
      ]),
    ),
    page,
    {
      order: listOrder(page.sort, { table: 'campaign' }),
      select: (all) => all.selectAll(),
    },
  );
  return { data: data.map(campaignRecord), pagination };
}

/** Returns a campaign, even an archived one. Throws NOT_FOUND. */
export async function getCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  return campaignRecord(await getRow(ctx, Campaign, id));
}

/** A campaign as it appears in other records. */
export const CAMPAIGN = target(Campaign, COLUMNS, {}, campaignRecord);
