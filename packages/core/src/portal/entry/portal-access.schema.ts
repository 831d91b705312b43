import { z } from 'zod';
import { CreateAffiliate, externalId } from '../../program/affiliates/affiliate.schema.ts';
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

export const CreateEmbedToken = z.strictObject({ id: id('affiliate') });

const { email, campaign_id, first_name, last_name } = CreateAffiliate.shape;

/** Identifies an affiliate in a request of a merchant's application. */
export const NamedAffiliate = z.strictObject({
  email: email.optional().describe('E-mail address. Required for an affiliate whom the service does not know by `external_id`.'),
  external_id: externalId()
    .optional()
    .describe('Your ID of the affiliate. Looked up first; an affiliate who is known by `email` only gets it.')
    .meta({ example: 'customer-1001' }),
  campaign_id,
  first_name,
  last_name,
});
export type NamedAffiliate = z.infer<typeof NamedAffiliate>;

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
