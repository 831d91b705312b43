import { z } from 'zod';
import { email, id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { CONVERSION_STATES } from './referral.entity.ts';

const conversionState = z.enum(CONVERSION_STATES).describe('How far the visitor has come.');

export const PlainReferral = z.object({
  id: id('referral'),
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  link_id: id('link').nullable(),
  customer_id: id('customer').nullable(),
  conversion_state: conversionState,
  psp_customer_id: z.string().nullable().describe('The customer’s id at the payment provider.'),
  converted_at: instant().nullable(),
  expires_at: instant()
    .nullable()
    .describe('Until when the visitor must convert; a referral that converted in time goes on earning.'),
  deactivated_at: instant().nullable(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainReferral = z.infer<typeof PlainReferral>;

export const CreateReferral = z.strictObject({
  affiliate_id: id('affiliate').optional().describe('Required unless `link_id` is given.'),
  campaign_id: id('campaign').optional().describe('Required unless `link_id` is given.'),
  link_id: id('link').optional().describe('Supplies affiliate and campaign; they must not contradict it.'),
  conversion_state: conversionState.optional().describe('`visitor` when missing.'),
  expires_at: timestamp().optional().describe('From the campaign’s terms when missing.'),
});
export type CreateReferral = z.infer<typeof CreateReferral>;

export const UpdateReferral = z.strictObject({
  id: id('referral'),
  conversion_state: conversionState.optional(),
  deactivated_at: timestamp().nullable().optional().describe('Null activates the referral again.'),
  customer_email: email()
    .optional()
    .describe('Binds the account’s customer with this address, created when there is none. A bound customer never moves.'),
});
export type UpdateReferral = z.infer<typeof UpdateReferral>;

export const ReferralId = z.strictObject({ id: id('referral') });
/** `data` of `referral.*` events. */
export const ReferralEventData = PlainReferral.omit({ converted_at: true, deactivated_at: true }).meta({
  id: 'ReferralEventData',
});
export type ReferralEventData = z.infer<typeof ReferralEventData>;
