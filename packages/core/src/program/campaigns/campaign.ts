import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { getRow } from '../../platform/call/records.ts';
import { target } from '../../platform/call/reference.ts';
import { jsonLiteral } from '../../platform/db/json-text.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import {
  allOf,
  archivedFilter,
  idsFilter,
  restoring,
  updatedRange,
  whatIds,
  whatValues,
  whenUpdated,
} from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { merchantData, merchantDataFilters, merchantDataInput, whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import {
  cents,
  currency,
  httpUrl,
  id,
  instant,
  livemode,
  nameText,
  percent,
  storedUrl,
  text,
} from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { ATTRIBUTIONS, Campaign } from './campaign.entity.ts';

/** Parameters that every visit may have. They cannot be renamed. */
const RESERVED = new Set(['via', 'referral']);

const parameter = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, PROGRAM_REASONS.link_parameter_form)
  .refine((name) => !RESERVED.has(name), PROGRAM_REASONS.link_parameter_reserved);

/** Schema of the names of the URL parameters that carry the token of a link in addition to `via`. */
const linkParameters = () =>
  z
    .array(parameter)
    .max(8)
    .meta({ example: ['ref', 'fpr'] });

const REWARD_TYPES = ['percent', 'fixed'] as const;
const PARAMETER_TYPES = ['query', 'hash'] as const;

const URL_DESCRIPTION = 'Landing page of the campaign, also used for visitors of inactive links.';

/** Fields that callers may set. `CreateCampaign` makes some of them required. */
const fields = {
  name: nameText(200).describe('Campaign name, shown to affiliates.').meta({ example: 'Friends of the shop' }),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, PROGRAM_REASONS.campaign_slug_form)
    .max(100)
    .describe('Unique within the account. By default derived from the name.'),
  url: httpUrl().describe(URL_DESCRIPTION),
  private: z.boolean().describe('`true` if affiliates can join by invitation only.'),
  private_tokens: z.boolean().describe('`true` if generated link tokens are random instead of based on the affiliate’s name.'),
  reward_type: z.enum(REWARD_TYPES).describe('`percent`: percentage of the sale; `fixed`: fixed amount per sale.'),
  commission_percent: percent()
    .nullable()
    .describe('Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`.'),
  commission_amount_cents: cents()
    .nullable()
    .describe('Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`.'),
  commission_amount_currency: currency()
    .nullable()
    .describe('Currency of `commission_amount_cents`. Defaults to the account’s currency.'),
  minimum_payout_cents: cents().describe('Minimum payout amount. Payouts below it are not eligible. Defaults to 0.'),
  minimum_payout_currency: currency().describe(
    'Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency.',
  ),
  max_commission_period_months: z
    .int()
    .min(1)
    .max(1200)
    .nullable()
    .describe(
      'Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for no limit.',
    ),
  max_commissions: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe(
      'Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not count. A commission that you void no longer counts for sales charged afterwards.',
    ),
  days_before_referrals_expire: z
    .int()
    .min(1)
    .max(3650)
    .describe('Attribution window: days a visitor has to convert. Defaults to 60.'),
  days_until_commissions_are_due: z
    .int()
    .min(0)
    .max(999)
    .describe('Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30.'),
  affiliate_dashboard_text: z.string().max(20_000).nullable().describe('Text for the affiliate dashboard.'),
  custom_reward_description: z.string().max(2_000).nullable().describe('Custom description of the reward.'),
  welcome_text: z.string().max(20_000).nullable().describe('Welcome text for new affiliates.'),
  customers_visible_to_affiliates: z.boolean().describe('`true` if affiliates can see their customers. Defaults to `false`.'),
  sale_description_visible_to_affiliates: z
    .boolean()
    .describe('`true` if affiliates can see sale descriptions. Defaults to `true`.'),
  attribution: z
    .enum(ATTRIBUTIONS)
    .describe(
      'Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the latest click on a link of this campaign (`last_click`). Defaults to `first_click`.',
    ),
  parameter_type: z
    .enum(PARAMETER_TYPES)
    .describe('Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`.'),
  params: linkParameters().describe(
    'Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.',
  ),
  psp_coupon_id: text(255).nullable().describe(`ID of the ${PSP} coupon used for this campaign’s affiliate coupons.`),
  default: z
    .boolean()
    .describe('`true` if affiliates created without a campaign join this one. At most one campaign is the default.'),
};

export const CampaignRecord = z
  .object({
    id: id('campaign'),
    ...fields,
    url: storedUrl().describe(URL_DESCRIPTION),
    ...merchantData,
    archived_at: instant().nullable(),
    livemode: livemode(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Campaign', description: 'A promotion with the terms under which its affiliates earn commissions.' });
export type CampaignRecord = z.infer<typeof CampaignRecord>;

export const CampaignEventData = z.object(CampaignRecord.shape).meta({ id: 'CampaignEventData' });

const { name, url, reward_type, ...optionalFields } = fields;
export const CreateCampaign = z
  .strictObject({ name, url, reward_type, ...z.object(optionalFields).partial().shape, ...merchantDataInput })
  .meta({
    example: {
      name: 'Friends of the shop',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 12.5,
      minimum_payout_cents: 5000,
      days_until_commissions_are_due: 30,
      default: true,
    },
  });
export type CreateCampaign = z.infer<typeof CreateCampaign>;

export const UpdateCampaign = z
  .strictObject({ id: id('campaign'), ...z.object(fields).partial().shape, ...merchantDataInput, ...restoring })
  .meta({ example: { commission_percent: 15, welcome_text: 'Welcome back!' } });
export type UpdateCampaign = z.infer<typeof UpdateCampaign>;

export const CampaignId = z.strictObject({ id: id('campaign') });
export const ListCampaigns = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  ...archivedFilter,
  slug: z.string().max(100).optional().describe('Filters by exact slug.'),
  ...idsFilter('campaign'),
  ...merchantDataFilters,
});
export type ListCampaigns = z.infer<typeof ListCampaigns>;
export const CampaignPage = paginated(CampaignRecord);

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
