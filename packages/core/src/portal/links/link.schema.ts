import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant } from '../../platform/wire/scalars.ts';
import { CreateLink, LinkRecord } from '../../program/links/link.schema.ts';

const { token, share_url, tracking_url, copy_url, clicks, visitors, leads, conversions } = LinkRecord.shape;

export const PortalLink = z
  .object({
    id: id('link'),
    url: LinkRecord.shape.url,
    token,
    share_url,
    tracking_url,
    copy_url,
    clicks,
    visitors,
    leads,
    conversions,
    earns: z.boolean().describe('`false` if visits earn nothing, because the campaign or the membership has ended.'),
    created_at: instant(),
  })
  .meta({ id: 'PortalLink', description: 'A link, as its affiliate sees it.' });
export type PortalLink = z.infer<typeof PortalLink>;

export const ListPortalLinks = z.strictObject(pageInput);
export const PortalLinkPage = paginated(PortalLink);

export const CreatePortalLink = z.strictObject({
  url: httpUrl().describe('Page of the campaign’s site that the link leads to.'),
  token: CreateLink.shape.token,
});
export type CreatePortalLink = z.infer<typeof CreatePortalLink>;

export const PortalLinkId = z.strictObject({ id: id('link') });
