import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { httpUrl, id, instant, nameText } from '../../platform/wire/scalars.ts';
import { LinkRecord, ownToken } from '../../program/links/link.ts';

const { token, former_token, share_url, tracking_url, copy_url, clicks, visitors, leads, conversions } = LinkRecord.shape;

const label = () => nameText(60);

export const PortalLink = z
  .object({
    id: id('link'),
    url: LinkRecord.shape.url,
    token,
    former_token,
    label: label().nullable().describe('Name that you have given the link. Nobody else sees it.'),
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
  token: ownToken().optional(),
  label: label().nullable().optional(),
});
export type CreatePortalLink = z.infer<typeof CreatePortalLink>;

export const UpdatePortalLink = z.strictObject({
  id: id('link'),
  token: ownToken().optional().describe('New code, once. The former code goes on to lead to the link.'),
  label: label().nullable().optional(),
});
export type UpdatePortalLink = z.infer<typeof UpdatePortalLink>;

export const CheckPortalCode = z.strictObject({ token: ownToken() });

export const PortalLinkId = z.strictObject({ id: id('link') });
