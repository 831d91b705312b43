import { z } from 'zod';
import { instant } from '../../platform/wire/scalars.ts';
import { DIGESTS } from '../../platform/wire/states.ts';
import { CreateAffiliate } from '../../program/affiliates/affiliate.ts';
import { addressInput } from '../../program/payout-methods/address-fields.schema.ts';
import { billingDetails } from '../applications/application.schema.ts';

const { first_name, last_name } = CreateAffiliate.shape;

/** The columns of an affiliate that its profile shows. */
export const StoredProfile = z.object({
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  digest: z.enum(DIGESTS).describe('Frequency of the emails about earned commissions.'),
  billing_details: z.string().nullable().describe('Name, address and tax number, as statements show them.'),
});

export const PortalProfile = z
  .object({
    ...StoredProfile.shape,
    gets_emails: z.boolean().describe('`true` if the affiliate wants the emails of the program.'),
    joined_at: instant(),
    accepted_terms: z
      .object({ version: z.int(), body: z.string(), accepted_at: instant() })
      .nullable()
      .describe('The terms that the affiliate has accepted last; null if there are none.'),
    key: z
      .object({ created_at: instant(), expires_at: instant() })
      .nullable()
      .describe('The key with which programs of the affiliate read; null without one.'),
    email_change: z
      .object({
        new_email: z.string(),
        present_agreed: z.boolean().describe('`true` if the owner of the current address has confirmed the change.'),
        new_agreed: z.boolean().describe('`true` if the owner of the new address has confirmed the change.'),
        expires_at: instant(),
      })
      .nullable()
      .describe(
        'A requested change of the email address that has not been confirmed by both owners yet; null when there is none.',
      ),
  })
  .meta({ id: 'PortalProfile' });
export type PortalProfile = z.infer<typeof PortalProfile>;

/** Input of what affiliates do about their own membership. */
export const OwnAct = z.strictObject({});
export const OwnActDone = z.object({ at: instant() });

export const UpdateProfile = z.strictObject({
  first_name,
  last_name,
  digest: z.enum(DIGESTS).optional(),
  gets_emails: z.boolean().optional().describe('`false` ends the emails of the program, `true` starts them again.'),
  billing_details: billingDetails.optional(),
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

export const PayoutDetails = z
  .object({
    walleta_email: z.string().nullable().describe('PayPal email address.'),
    walletb_email: z.string().nullable().describe('Wise email address.'),
    payouts_held_until: instant().nullable().describe('No payout is sent before this time, because the addresses have changed.'),
  })
  .meta({ id: 'PortalPayoutDetails', description: 'The addresses to which the affiliate is paid.' });
export type PayoutDetails = z.infer<typeof PayoutDetails>;

export const UpdatePayoutDetails = z.strictObject(addressInput);
export type UpdatePayoutDetails = z.infer<typeof UpdatePayoutDetails>;

export const PortalPromoCode = z
  .object({
    code: z.string(),
    campaign_name: z.string().nullable(),
    status: z.enum(['active', 'inactive', 'stopped']).describe('Only an `active` code can be redeemed and earns commissions.'),
  })
  .meta({ id: 'PortalPromoCode' });
export type PortalPromoCode = z.infer<typeof PortalPromoCode>;
export const PortalPromoCodes = z.object({ data: z.array(PortalPromoCode) });
