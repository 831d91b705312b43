import { z } from 'zod';
import { byId, expandable, toOne } from '../../platform/call/expand.ts';
import { csvPosition } from '../../platform/wire/csv.ts';
import { createdRange, idsFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { id } from '../../platform/wire/scalars.ts';
import { typedEmail } from '../../platform/wire/typed-text.ts';
import { toAffiliate } from '../affiliates/affiliate.expansions.ts';
import { findTouches, Touch } from '../clicks/clicks.ts';
import { CUSTOMER } from '../customers/customer.queries.ts';
import { CustomerRecord } from '../customers/customer.schema.ts';
import { findLinks } from '../links/link.queries.ts';
import { LinkRecord } from '../links/link.schema.ts';
import { CONVERSION_STATES } from './referral.entity.ts';
import { PlainReferral } from './referral.schema.ts';

export const referralExpansions = expandable<PlainReferral>()({
  link: { schema: LinkRecord, load: byId((referral) => referral.link_id, findLinks) },
  customer: { schema: CustomerRecord, ...toOne('customer_id', CUSTOMER) },
  affiliate: toAffiliate,
  touches: { schema: z.array(Touch), load: findTouches },
});

export const ReferralRecord = z
  .object({ ...PlainReferral.shape, ...referralExpansions.output })
  .meta({ id: 'Referral', description: 'A visitor referred by an affiliate, tracked until and after conversion.' });
export type ReferralRecord = z.infer<typeof ReferralRecord>;

export const GetReferral = z.strictObject({ id: id('referral'), ...referralExpansions.input });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...merchantDataFilters,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
  link_id: id('link').optional(),
  customer_id: id('customer').optional(),
  ...idsFilter('referral'),
  conversion_state: oneOrMore(CONVERSION_STATES),
  conversionState: oneOrMore(CONVERSION_STATES).describe('Alias of `conversion_state`.').meta({ deprecated: true }),
  psp_customer_id: z.string().max(255).optional().describe(`Filters by exact ${PSP} customer ID.`),
  email: z
    .string()
    .overwrite(typedEmail)
    .max(254)
    .optional()
    .describe('Filters by exact customer email address, case-insensitive.'),
};

export const ListReferrals = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...referralExpansions.input,
  ...filters,
});
export type ListReferrals = z.infer<typeof ListReferrals>;

export const ListLeads = ListReferrals.omit({ conversion_state: true, conversionState: true });

export const ReferralsAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at'), ...filters });
export type ReferralsAsCsv = z.infer<typeof ReferralsAsCsv>;

export const ReferralPage = paginated(ReferralRecord);
