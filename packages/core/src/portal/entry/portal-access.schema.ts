import { z } from 'zod';
import { CreateAffiliate } from '../../program/affiliates/affiliate.schema.ts';
import { id, instant } from '../../platform/wire/scalars.ts';

export const CreatePortalLink = z.strictObject({ id: id('affiliate') });

export const PortalLinkRecord = z
  .object({
    url: z
      .string()
      .describe('Opens the portal of the affiliate, once. Send the browser there at once; do not store it.')
      .meta({ example: 'https://affiliates.example.com/portal/enter#token=pat_…' }),
    expires_at: instant().describe('60 seconds after the link was created.'),
  })
  .meta({ id: 'PortalSignInLink', description: 'A link that signs an affiliate in to their portal.' });
export type PortalLinkRecord = z.infer<typeof PortalLinkRecord>;

const { email, campaign_id, first_name, last_name } = CreateAffiliate.shape;

export const CreateEmbedToken = z.strictObject({ id: id('affiliate') });
export const EmbedByEmail = z.strictObject({ email, campaign_id, first_name, last_name });
export type EmbedByEmail = z.infer<typeof EmbedByEmail>;

export const EmbedTokenRecord = z
  .object({
    token: z
      .string()
      .describe('For `data-token` of the loader. Give it to the page of this affiliate only.')
      .meta({ example: 'pat_…' }),
    expires_at: instant().describe('One hour after the token was created.'),
  })
  .meta({ id: 'EmbedToken', description: 'A token that shows the portal of an affiliate in your application.' });
export type EmbedTokenRecord = z.infer<typeof EmbedTokenRecord>;

export const EnterPortal = z.strictObject({
  token: z.string().min(1).max(200).describe('Token of the link.'),
});

export const PortalEntry = z.object({
  token: z.string().describe('Sent as `X-Portal-Token` with every call of the portal.'),
  account_id: id('account'),
  expires_at: instant(),
});
export type PortalEntry = z.infer<typeof PortalEntry>;
