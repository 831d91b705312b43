import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { z } from 'zod';
import { PORTAL_HOST } from '../../identity/branding/branding.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import {
  instant as instantColumn,
  merchantData as merchantColumns,
  modeOfAccount,
  recordColumns,
  type Row,
} from '../../platform/db/columns.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { allOf, archivedFilter, idsFilter, restoring, updatedRange, whatIds, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { merchantData, merchantDataFilters, merchantDataInput, whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant, livemode } from '../../platform/wire/scalars.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { IS_COUNTED } from './counted-referrals.ts';
import { hasToken, tokenOfWords } from './link-token.ts';
import { copyUrl, scriptOrigins, shareUrl, trackingUrl } from './link-url.ts';

export const Link = defineEntity({
  name: 'Link',
  tableName: 'link',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantColumns,
    affiliate_id: p.string(),
    campaign_id: p.string(),
    url: p.string(),
    token: p.string(),
    /** Token before the affiliate replaced it. It leads to the link for good. */
    former_token: p.string().strictNullable(),
    /** Time at which the token was last replaced. Without an account, a token leads to the link that has had it longest. */
    token_replaced_at: instantColumn().strictNullable(),
    /** Name that the affiliate has given the link, for the affiliate only. */
    label: p.string().strictNullable(),
    archived_at: instantColumn().strictNullable(),
  },
});

/** An affiliate's tracked link. */
export type Link = Row<typeof Link>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    link: InferKyselyTable<typeof Link>;
    link_clicks: { link_id: string; day: string; account_id: string; clicks: number };
  }
}

const fields = {
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  url: httpUrl().describe('Destination URL.'),
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, PROGRAM_REASONS.link_token_form)
    .describe('Link code. Unique within the account, case-insensitive.')
    .meta({ example: 'ada' }),
};

/** Token that an affiliate chooses, in any letters. */
export const ownToken = () =>
  z
    .string()
    .max(200)
    .overwrite(tokenOfWords)
    .regex(/^[A-Za-z0-9_-]{3,64}$/, PROGRAM_REASONS.own_token_form);

export const LinkRecord = z
  .object({
    id: id('link'),
    ...fields,
    former_token: z
      .string()
      .nullable()
      .describe('Link code before the affiliate chose another one. It leads to the link for good; null if there is none.'),
    ...merchantData,
    share_url: z.string().describe('Destination URL with `via=<token>`, for sites that use the tracking script.'),
    tracking_url: z.string().describe('URL that records the visit, sets the referral cookie, and redirects to the destination.'),
    copy_url: z
      .string()
      .describe(
        'URL to give to people: `share_url` if the tracking script was seen on the destination’s site in the last 30 days, otherwise a tracked link, under your own portal host if you have one.',
      ),
    clicks: z.int().describe('Number of visits, including repeat visits.'),
    visitors: z
      .int()
      .describe('Number of referrals through this link, in any state, including expired referrals that were deleted.'),
    leads: z.int().describe('Referrals that became leads, including conversions.'),
    conversions: z.int().describe('Referrals that converted.'),
    archived_at: instant().nullable(),
    livemode: livemode(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Link', description: 'A tracked link of an affiliate.' });
export type LinkRecord = z.infer<typeof LinkRecord>;

/** `data` of `link.*` events: the stored link, without URLs that are made of it and without counts. */
export const LinkEventData = LinkRecord.omit({
  share_url: true,
  tracking_url: true,
  copy_url: true,
  clicks: true,
  visitors: true,
  leads: true,
  conversions: true,
}).meta({ id: 'LinkEventData' });

const { token, ...required } = fields;
export const CreateLink = z.strictObject({
  ...required,
  token: token.optional().describe('Link code. Unique within the account, case-insensitive. Defaults to a generated code.'),
  ...merchantDataInput,
});
export type CreateLink = z.infer<typeof CreateLink>;

export const UpdateLink = z.strictObject({
  id: id('link'),
  ...z.object(fields).partial().shape,
  ...merchantDataInput,
  ...restoring,
});
export type UpdateLink = z.infer<typeof UpdateLink>;

export const LinkId = z.strictObject({ id: id('link') });
export const ListLinks = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  ...archivedFilter,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
  token: z.string().max(64).optional().describe('Filters by link code or former link code, case-insensitive.'),
  url: z.string().max(2048).optional().describe('Filters by exact destination URL, as in the record.'),
  ...idsFilter('link'),
  ...merchantDataFilters,
});
export type ListLinks = z.infer<typeof ListLinks>;
export const LinkPage = paginated(LinkRecord);

const RECORD = wireRecord(Link, LinkRecord);
const EVENT_DATA = wireRecord(Link, LinkEventData);

export const ANNOUNCED_LINK: AnnouncedRecord = {
  table: Link.meta.tableName,
  columns: EVENT_DATA.columns,
  record: () => sql`select * from link where id = change.id`,
  data: EVENT_DATA.json('record', {}),
  types: [['link.created', CREATED]],
  updated: 'link.updated',
};

interface LinkRow extends Link {
  parameter_type: 'query' | 'hash';
  account_slug: string;
  portal_host: string | null;
  script_origins: string[];
}

/** Lists links, newest first unless sorted otherwise. With `archived`, lists only archived links; without it, leaves archived links out. */
export async function listLinks(ctx: Ctx, input: ListLinks) {
  let query = ctx.db
    .selectFrom('link')
    .where('link.account_id', '=', ctx.accountId)
    .where('link.archived_at', input.archived ? 'is not' : 'is', null);
  if (input.affiliate_id !== undefined) query = query.where('link.affiliate_id', '=', input.affiliate_id);
  if (input.campaign_id !== undefined) query = query.where('link.campaign_id', '=', input.campaign_id);
  const { data, pagination } = await paginate(query.where(allOf(rareConditions(ctx, input))), input, {
    order: listOrder(input.sort, { table: 'link' }),
    select: (all) => all.selectAll('link').select(moreColumns(ctx)),
  });
  return { data: await linkRecords(ctx, data), pagination };
}

/** Returns SQL conditions for the filters that few requests set. */
function rareConditions({ accountId }: Ctx, input: ListLinks) {
  return [
    ...whenUpdated('link.updated_at', input),
    ...whatMerchantData(accountId, input),
    ...whatIds('link.id', input),
    ...(input.token === undefined ? [] : [hasToken([input.token.toLowerCase()])]),
    // An index on whole URLs would be large.
    ...(input.url === undefined ? [] : [sql<boolean>`md5(link.url) = md5(${input.url}) and link.url = ${input.url}`]),
  ];
}

/** Returns a link, even an archived one. Throws NOT_FOUND. */
export async function getLink(ctx: Ctx, id: string): Promise<LinkRecord> {
  const row = await ctx.db
    .selectFrom('link')
    .selectAll('link')
    .select(moreColumns(ctx))
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [link] = await linkRecords(ctx, [foundOrThrow(row, 'link')]);
  return link!;
}

/** Finds each affiliate's unarchived links, newest first. For expansions. */
export async function findLinksOfAffiliates(ctx: Ctx, affiliates: readonly { id: string }[]): Promise<LinkRecord[][]> {
  const ids = affiliates.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('link')
    .selectAll('link')
    .select(moreColumns(ctx))
    .where(oneOf('affiliate_id', ids))
    .where('archived_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  const links = await linkRecords(ctx, rows);
  return ids.map((id) => links.filter((link) => link.affiliate_id === id));
}

/** Finds links by id, for expansions. */
export async function findLinks(ctx: Ctx, ids: string[]): Promise<Map<string, LinkRecord>> {
  const rows = await ctx.db.selectFrom('link').selectAll('link').select(moreColumns(ctx)).where(oneOf('id', ids)).execute();
  return new Map((await linkRecords(ctx, rows)).map((link) => [link.id, link]));
}

/** Returns the columns of other records that the URLs of the account's links need. */
function moreColumns({ accountId, now }: Ctx) {
  return [
    sql<'query' | 'hash'>`(select parameter_type from campaign where campaign.id = link.campaign_id)`.as('parameter_type'),
    sql<string>`(select slug from account where account.id = ${accountId})`.as('account_slug'),
    sql<string | null>`(select ${PORTAL_HOST} from account where account.id = ${accountId})`.as('portal_host'),
    scriptOrigins(accountId, now).as('script_origins'),
  ] as const;
}

/** Adds URLs and counts to rows of links. One query counts for all rows. */
async function linkRecords(ctx: Ctx, rows: readonly LinkRow[]): Promise<LinkRecord[]> {
  if (rows.length === 0) return [];
  const { rows: counts } = await sql<{ link_id: string; clicks: number; visitors: number; leads: number; conversions: number }>`
    select link.id as link_id,
      coalesce((select sum(clicks) from link_clicks where link_clicks.link_id = link.id), 0) as clicks,
      funnel.referrals + coalesce((select sum(visitors) from visitor_count where visitor_count.link_id = link.id), 0) as visitors,
      funnel.leads, funnel.conversions
    from unnest(${rows.map(({ id }) => id)}::text[]) as link (id)
    cross join lateral (
      select count(*) as referrals,
        count(*) filter (where conversion_state in ('lead', 'conversion')) as leads,
        count(*) filter (where conversion_state = 'conversion') as conversions
      from referral where referral.link_id = link.id and ${IS_COUNTED}
    ) funnel`.execute(ctx.db);
  const countsOf = new Map(counts.map(({ link_id, ...counted }) => [link_id, counted]));
  return rows.map((link) =>
    RECORD.of(link, {
      share_url: shareUrl(link.url, link.token, link.parameter_type),
      tracking_url: trackingUrl(ctx.services.publicUrl, link.account_slug, link.token),
      copy_url: copyUrl(link, { ...link, publicUrl: ctx.services.publicUrl }),
      ...countsOf.get(link.id)!,
    }),
  );
}
