import { z } from 'zod';
import { archivedFilter, idsFilter, restoring, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataInput, merchantData, merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant, livemode } from '../../platform/wire/scalars.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { tokenOfWords } from './link-token.ts';

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
