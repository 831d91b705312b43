import { z } from 'zod';
import { findAffiliates } from '../affiliates/affiliate.queries.ts';
import { PlainAffiliate } from '../affiliates/affiliate.schema.ts';
import { byId, expandable } from '../api/expand.ts';
import { oneOrMore, updatedRange } from '../api/filters.ts';
import { pageInput, paginated } from '../api/pagination.ts';
import { email, id, instant, timestamp } from '../api/scalars.ts';
import { findCustomers } from '../customers/customer.queries.ts';
import { CustomerRecord } from '../customers/customer.schema.ts';
import { findLinks } from '../links/link.queries.ts';
import { LinkRecord } from '../links/link.schema.ts';
import { CONVERSION_STATES } from './referral.entity.ts';

const conversionState = z.enum(CONVERSION_STATES).describe('How far the visitor has come.');

const plain = z.object({
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
export type PlainReferral = z.infer<typeof plain>;

export const referralExpansions = expandable<PlainReferral>()({
  link: { schema: LinkRecord, load: byId((referral) => referral.link_id, findLinks) },
  customer: { schema: CustomerRecord, load: byId((referral) => referral.customer_id, findCustomers) },
  affiliate: { schema: PlainAffiliate, load: byId((referral) => referral.affiliate_id, findAffiliates) },
});

export const ReferralRecord = z
  .object({ ...plain.shape, ...referralExpansions.output })
  .meta({ id: 'Referral', description: 'A visitor whom an affiliate sent, on the way to becoming a paying customer.' });
export type ReferralRecord = z.infer<typeof ReferralRecord>;

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
export const GetReferral = z.strictObject({ id: id('referral'), ...referralExpansions.input });

export const ListReferrals = z.strictObject({
  ...pageInput,
  ...updatedRange,
  ...referralExpansions.input,
  affiliate_id: id('affiliate').optional(),
  conversion_state: oneOrMore(CONVERSION_STATES),
  conversionState: oneOrMore(CONVERSION_STATES).describe('The same as `conversion_state`.'),
  psp_customer_id: z.string().max(255).optional().describe('The customer’s id at the payment provider; exact.'),
  email: z.string().max(254).optional().describe('The customer’s e-mail address; exact, whatever the case.'),
});
export type ListReferrals = z.infer<typeof ListReferrals>;
export const ReferralPage = paginated(ReferralRecord);

/** `data` of `referral.*` events. */
export const ReferralEventData = plain.omit({ converted_at: true, deactivated_at: true }).meta({ id: 'ReferralEventData' });
export type ReferralEventData = z.infer<typeof ReferralEventData>;
