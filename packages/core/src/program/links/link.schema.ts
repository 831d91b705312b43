import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant } from '../../platform/wire/scalars.ts';

const fields = {
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  url: httpUrl().describe('Where the visitor lands.'),
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: '1 to 64 letters, digits, hyphens and underscores' })
    .describe('Unique in the account, whatever the case.')
    .meta({ example: 'ada' }),
};

export const LinkRecord = z
  .object({
    id: id('link'),
    ...fields,
    share_url: z.string().describe('The destination with `via=<token>`, for sites that run the tracking script.'),
    tracking_url: z.string().describe('Counts the visit, sets the referral cookie and redirects to the destination.'),
    clicks: z.int().describe('Visits, every one counted.'),
    visitors: z.int().describe('Referrals through this link, whatever became of them.'),
    leads: z.int().describe('Referrals that became a lead or more.'),
    conversions: z.int().describe('Referrals that converted.'),
    archived_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Link', description: 'An affiliate’s tracked address.' });
export type LinkRecord = z.infer<typeof LinkRecord>;

const { token, ...required } = fields;
export const CreateLink = z.strictObject({ ...required, token: token.optional().describe('Generated when missing.') });
export type CreateLink = z.infer<typeof CreateLink>;

export const UpdateLink = z.strictObject({ id: id('link'), ...z.object(fields).partial().shape });
export type UpdateLink = z.infer<typeof UpdateLink>;

export const LinkId = z.strictObject({ id: id('link') });
export const ListLinks = z.strictObject({
  ...pageInput,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
});
export type ListLinks = z.infer<typeof ListLinks>;
export const LinkPage = paginated(LinkRecord);
