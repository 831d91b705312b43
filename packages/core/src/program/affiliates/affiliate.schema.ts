import { z } from 'zod';
import { oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { email, id, instant } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from './affiliate.entity.ts';

const fields = {
  email: email().describe('Unique among the account’s affiliates that are not archived, whatever the case.'),
  campaign_id: id('campaign'),
  first_name: z.string().max(100).nullable().meta({ example: 'Ada' }),
  last_name: z.string().max(100).nullable().meta({ example: 'Lovelace' }),
  state: z.enum(AFFILIATE_STATES).describe('Only active affiliates track visits and earn.'),
  walleta_email: email().nullable().describe('Where the first wallet pays to.'),
  walletb_email: email().nullable().describe('Where the second wallet pays to.'),
};

const plain = z.object({
  id: id('affiliate'),
  ...fields,
  psp_customer_id: z.string().nullable().describe('Set when the payment provider reports a customer with this e-mail address.'),
  archived_at: instant().nullable(),
  created_at: instant(),
  updated_at: instant(),
});
export type PlainAffiliate = z.infer<typeof plain>;
export const PlainAffiliate = plain.meta({ id: 'PlainAffiliate', description: 'An affiliate, not expanded.' });

export const CreateAffiliate = z.strictObject({
  email: fields.email,
  campaign_id: fields.campaign_id.optional().describe('The account’s default campaign when missing.'),
  first_name: fields.first_name.optional(),
  last_name: fields.last_name.optional(),
  state: fields.state.optional().describe('`active` when missing.'),
  walleta_email: fields.walleta_email.optional(),
  walletb_email: fields.walletb_email.optional(),
});
export type CreateAffiliate = z.infer<typeof CreateAffiliate>;

export const UpdateAffiliate = z.strictObject({ id: id('affiliate'), ...z.object(fields).partial().shape });
export type UpdateAffiliate = z.infer<typeof UpdateAffiliate>;

/** Filters of the list, besides those that all lists have. */
export const affiliateFilters = {
  campaign_id: id('campaign').optional(),
  email: z.string().max(254).optional().describe('Exact, whatever the case.'),
  search: z.string().max(254).optional().describe('Part of the e-mail address or of the name, whatever the case.'),
  state: oneOrMore(AFFILIATE_STATES),
  psp_customer_id: z
    .string()
    .max(255)
    .optional()
    .describe('The payment provider’s id of the customer that the affiliate is; exact.'),
};
const AffiliateQuery = z.object({ ...pageInput, ...updatedRange, ...affiliateFilters });
export type AffiliateQuery = z.infer<typeof AffiliateQuery>;

export const AffiliateId = z.strictObject({ id: id('affiliate') });
/** `data` of `affiliate.*` events. */
export const AffiliateEventData = plain
  .pick({
    id: true,
    email: true,
    state: true,
    campaign_id: true,
    first_name: true,
    last_name: true,
    created_at: true,
    updated_at: true,
  })
  .meta({ id: 'AffiliateEventData' });
export type AffiliateEventData = z.infer<typeof AffiliateEventData>;
