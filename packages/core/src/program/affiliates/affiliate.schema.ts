import { z } from 'zod';
import { csvPosition } from '../../platform/wire/csv.ts';
import {
  archivedFilter,
  createdRange,
  idsFilter,
  oneOrMore,
  restoring,
  searchFilter,
  updatedRange,
} from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataInput, externalReference, merchantData, merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { email, id, instant, livemode, looseName } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from '../../platform/wire/states.ts';
import { typedEmail } from '../../platform/wire/typed-text.ts';
import { type AddressField, addressFields, addressInput, WITHOUT_ADDRESSES } from '../payout-methods/address-fields.schema.ts';

const fields = {
  email: email().describe('Email address, unique among affiliates that are not archived.'),
  campaign_id: id('campaign'),
  first_name: looseName(100).nullable().meta({ example: 'Ada' }),
  last_name: looseName(100).nullable().meta({ example: 'Lovelace' }),
  state: z
    .enum(AFFILIATE_STATES)
    .describe(
      'State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active` releases both. Affiliates in any other state do neither.',
    ),
  ...addressFields,
};

const plain = z.object({
  id: id('affiliate'),
  ...fields,
  ...merchantData,
  psp_customer_id: z.string().nullable().describe('ID of the Stripe customer with this email address.'),
  payouts_held_until: instant()
    .nullable()
    .describe('No payout is eligible before this time, because the payout details have changed.'),
  archived_at: instant().nullable(),
  erased_at: instant().nullable().describe('Time at which the personal data were erased; `null` if they were not.'),
  livemode: livemode(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainAffiliate = z.infer<typeof plain>;
export const PlainAffiliate = plain.meta({ id: 'PlainAffiliate', description: 'An affiliate without expansions.' });

export const CreateAffiliate = z.strictObject({
  email: fields.email,
  campaign_id: fields.campaign_id.optional().describe('Campaign to join. Defaults to the account’s default campaign.'),
  first_name: fields.first_name.optional(),
  last_name: fields.last_name.optional(),
  state: fields.state.optional().describe('Initial state, by default `active`.'),
  ...addressInput,
  ...merchantDataInput,
});
export type CreateAffiliate = z.infer<typeof CreateAffiliate>;

export const UpdateAffiliate = z.strictObject({
  id: id('affiliate'),
  ...z.object(fields).partial().shape,
  ...merchantDataInput,
  ...restoring,
  move_links: z
    .boolean()
    .default(false)
    .describe(
      'With a new `campaign_id`, also moves links and promo codes. Existing referrals stay in the former campaign and earn on its terms.',
    ),
});
export type UpdateAffiliate = z.infer<typeof UpdateAffiliate>;
/** Changes of an affiliate's own row. */
export type AffiliateChanges = Omit<UpdateAffiliate, AddressField | 'move_links'>;

const { external_id: _, ...upsertFields } = CreateAffiliate.shape;
export const UpsertAffiliate = z.strictObject({ id: externalReference(), ...upsertFields });
export type UpsertAffiliate = z.infer<typeof UpsertAffiliate>;

/** Filters of the affiliate list, in addition to those shared by all lists. */
export const affiliateFilters = {
  ...updatedRange,
  ...createdRange,
  ...archivedFilter,
  campaign_id: id('campaign').optional(),
  email: z.string().overwrite(typedEmail).max(254).optional().describe('Filters by exact email address, case-insensitive.'),
  ...searchFilter('the beginning of the email address, the full name or the last name', 'ada'),
  search: z.string().max(254).optional().describe('Filters by part of the email address or name, case-insensitive.'),
  state: oneOrMore(AFFILIATE_STATES),
  signed_in: z.boolean().optional().describe('Filters by whether the affiliate has ever signed in.'),
  psp_customer_id: z.string().max(255).optional().describe('Filters by exact Stripe customer ID.'),
  ...idsFilter('affiliate'),
  ...merchantDataFilters,
};
export const affiliateOrder = sortBy('updated_at', 'email');
const AffiliateQuery = z.object({ ...pageInput, ...affiliateOrder, ...affiliateFilters });
export type AffiliateQuery = z.infer<typeof AffiliateQuery>;

export const AffiliatesAsCsv = z.strictObject({ ...csvPosition, ...affiliateOrder, ...affiliateFilters });
export type AffiliatesAsCsv = z.infer<typeof AffiliatesAsCsv>;

export const AffiliateId = z.strictObject({ id: id('affiliate') });
/** `data` of `affiliate.*` events: the record without payout details. */
export const AffiliateEventData = plain.omit(WITHOUT_ADDRESSES).meta({ id: 'AffiliateEventData' });
