import { z } from 'zod';
import { merchantDataInput, merchantData } from '../../platform/wire/merchant-data.ts';
import { email, id, instant, livemode, timestamp } from '../../platform/wire/scalars.ts';
import { CONVERSION_STATES } from './referral.entity.ts';

const conversionState = z.enum(CONVERSION_STATES).describe('`visitor`, `lead` (signed up), or `conversion` (paid).');

export const PlainReferral = z.object({
  id: id('referral'),
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  link_id: id('link').nullable(),
  customer_id: id('customer').nullable(),
  conversion_state: conversionState,
  psp_customer_id: z.string().nullable().describe('Stripe customer ID.'),
  converted_at: instant().nullable(),
  expires_at: instant()
    .nullable()
    .describe('End of the attribution window. A referral that converts before this time keeps earning afterwards.'),
  deactivated_at: instant().nullable(),
  ...merchantData,
  livemode: livemode(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainReferral = z.infer<typeof PlainReferral>;

export const CreateReferral = z.strictObject({
  affiliate_id: id('affiliate').optional().describe('Required unless `link_id` is given.'),
  campaign_id: id('campaign').optional().describe('Required unless `link_id` is given.'),
  link_id: id('link')
    .optional()
    .describe('Link that the visitor followed. Determines `affiliate_id` and `campaign_id`, which must match if given.'),
  conversion_state: conversionState.optional().describe('Defaults to `visitor`.'),
  expires_at: timestamp()
    .optional()
    .describe('End of the attribution window. Defaults to the campaign’s `days_before_referrals_expire` from now.'),
  ...merchantDataInput,
});
export type CreateReferral = z.infer<typeof CreateReferral>;

export const UpdateReferral = z.strictObject({
  id: id('referral'),
  conversion_state: conversionState.optional(),
  deactivated_at: timestamp()
    .nullable()
    .optional()
    .describe('Set to a time, not in the future, to deactivate the referral, or to `null` to reactivate it.'),
  customer_email: email()
    .optional()
    .describe(
      'Assigns the customer with this email address, creating it if needed. An assigned customer cannot move to another referral.',
    ),
  ...merchantDataInput,
});
export type UpdateReferral = z.infer<typeof UpdateReferral>;

export const CreateLead = z.strictObject({
  referral_id: id('referral').describe('Referral of the visitor who signed up.'),
  email: email().describe('Email address of the customer.'),
});
export type CreateLead = z.infer<typeof CreateLead>;

export const ReferralId = z.strictObject({ id: id('referral') });
export const ReferralEventData = z.object(PlainReferral.shape).meta({ id: 'ReferralEventData' });
