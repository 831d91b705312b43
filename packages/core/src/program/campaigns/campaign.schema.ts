import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { cents, currency, httpUrl, id, instant, percent, text } from '../../platform/wire/scalars.ts';

export const REWARD_TYPES = ['percent', 'fixed'] as const;
export const PARAMETER_TYPES = ['query', 'hash'] as const;

/** The fields that a caller may set, all optional; `CreateCampaign` says which are required. */
const fields = {
  name: text(200).describe('Shown to affiliates.').meta({ example: 'Friends of the shop' }),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'Lower-case letters, digits and single hyphens' })
    .max(100)
    .describe('Unique in the account; derived from the name when missing.'),
  url: httpUrl().describe('Where visitors land when a link has no better destination.'),
  private: z.boolean().describe('Only invited affiliates may join.'),
  private_tokens: z.boolean().describe('Generated link tokens are random instead of taken from the affiliate’s name.'),
  reward_type: z.enum(REWARD_TYPES).describe('Whether a sale earns a percentage or a fixed amount.'),
  commission_percent: percent().nullable().describe('Share of the sale, with `reward_type` percent; up to two decimals.'),
  commission_amount_cents: cents().nullable().describe('Amount per sale in the minor unit, with `reward_type` fixed.'),
  commission_amount_currency: currency()
    .nullable()
    .describe('Currency of `commission_amount_cents`; the account’s when missing.'),
  minimum_payout_cents: cents().describe('A payout below this amount is not eligible yet.'),
  minimum_payout_currency: currency().describe('Currency of the minimum, which applies to payouts of that currency only.'),
  max_commission_period_months: z
    .int()
    .min(1)
    .max(1200)
    .nullable()
    .describe('Calendar months, from a referral’s first commission, in which its sales earn.'),
  max_commissions: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe(
      'Commissions that one referral can earn. Voided ones are not counted, unless an adjustment gave their amount back.',
    ),
  days_before_referrals_expire: z.int().min(1).max(3650).describe('Days in which a visitor must convert.'),
  days_until_commissions_are_due: z
    .int()
    .min(0)
    .max(999)
    .describe('Days from the charge until its commission is due; 0 is at once.'),
  affiliate_dashboard_text: z.string().max(20_000).nullable(),
  custom_reward_description: z.string().max(2_000).nullable(),
  welcome_text: z.string().max(20_000).nullable(),
  customers_visible_to_affiliates: z.boolean(),
  sale_description_visible_to_affiliates: z.boolean(),
  parameter_type: z.enum(PARAMETER_TYPES).describe('Whether links carry their token in the query or in the fragment.'),
  psp_coupon_id: text(255).nullable().describe('The payment provider’s coupon behind this campaign’s affiliate coupons.'),
  default: z
    .boolean()
    .describe('Affiliates created without a campaign join the default one. At most one campaign is the default.'),
};

export const CampaignRecord = z
  .object({ id: id('campaign'), ...fields, archived_at: instant().nullable(), created_at: instant(), updated_at: instant() })
  .meta({ id: 'Campaign', description: 'What affiliates promote, and under which terms they earn.' });
export type CampaignRecord = z.infer<typeof CampaignRecord>;

const { name, url, reward_type, ...optionalFields } = fields;
export const CreateCampaign = z.strictObject({ name, url, reward_type, ...z.object(optionalFields).partial().shape }).meta({
  example: {
    name: 'Friends of the shop',
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 12.5,
    minimum_payout_cents: 5000,
    days_until_commissions_are_due: 30,
    default: true,
  },
});
export type CreateCampaign = z.infer<typeof CreateCampaign>;

export const UpdateCampaign = z
  .strictObject({ id: id('campaign'), ...z.object(fields).partial().shape })
  .meta({ example: { commission_percent: 15, welcome_text: 'Welcome back!' } });
export type UpdateCampaign = z.infer<typeof UpdateCampaign>;

export const CampaignId = z.strictObject({ id: id('campaign') });
export const ListCampaigns = z.strictObject(pageInput);
export const CampaignPage = paginated(CampaignRecord);
