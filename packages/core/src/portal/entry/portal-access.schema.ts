import { z } from 'zod';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { CreateAffiliate } from '../../program/affiliates/affiliate.ts';
import { PORTAL_REASONS } from '../reasons.ts';

export const CreatePortalLink = z.strictObject({ id: id('affiliate') });

export const PortalLinkRecord = z
  .object({
    url: z
      .string()
      .describe('URL that opens the affiliate’s portal once. Redirect the browser to the URL immediately, and do not store it.')
      .meta({ example: 'https://affiliates.example.com/portal/enter#token=pat_…' }),
    expires_at: instant().describe('60 seconds after the link was created.'),
  })
  .meta({ id: 'PortalSignInLink', description: 'A link that opens the portal of an affiliate.' });
export type PortalLinkRecord = z.infer<typeof PortalLinkRecord>;

export const CreateEmbedToken = z.strictObject({ id: id('affiliate') });

const { email, campaign_id, first_name, last_name } = CreateAffiliate.shape;

/** Identifies an affiliate in a request from a merchant's application. */
export const NamedAffiliate = z.strictObject({
  email: email.optional().describe('Email address. Required if no affiliate has the given `external_id` yet.'),
  external_id: externalId()
    .optional()
    .describe(
      'Your ID for the affiliate. The affiliate is looked up by this ID first, then by `email`. An affiliate found by `email` who has no `external_id` yet gets this ID.',
    )
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
      .describe('Value for `data-token` of the loader script. Give it only to the page that this affiliate sees.')
      .meta({ example: 'pat_…' }),
    expires_at: instant().describe('One hour after the token was created.'),
  })
  .meta({ id: 'EmbedToken', description: 'A token that shows the portal of an affiliate in your application.' });
export type EmbedTokenRecord = z.infer<typeof EmbedTokenRecord>;

export const OwnKey = z
  .object({
    token: z
      .string()
      .describe('The key, which is shown only once. Send it as `X-Portal-Token` with every query of the portal.')
      .meta({ example: 'pat_…' }),
    expires_at: instant().describe('One year after the key was created.'),
  })
  .meta({ id: 'PortalKey', description: 'A key with which a program of an affiliate reads the affiliate’s own records.' });
export type OwnKey = z.infer<typeof OwnKey>;

export const EnterPortal = z.strictObject({
  token: z.string().min(1).max(200).describe('Token of the link.'),
});

export const RequestedCode = z.object({
  challenge: z.string().describe('Send it back with the code. Keep it in the frame.'),
  expires_at: instant(),
});
export type RequestedCode = z.infer<typeof RequestedCode>;

export const EnterWithCode = z.strictObject({
  challenge: z.string().min(1).max(200),
  code: z
    .string()
    .max(40)
    .overwrite((typed) => typed.replaceAll(/\D/g, ''))
    .length(8, PORTAL_REASONS.portal_code_form)
    .describe('The digits of the code in the email.'),
});
export type EnterWithCode = z.infer<typeof EnterWithCode>;

export const PortalEntry = z.object({
  token: z.string().describe('Send it as `X-Portal-Token` with every call of the portal.'),
  account_id: id('account'),
  expires_at: instant(),
});
export type PortalEntry = z.infer<typeof PortalEntry>;
