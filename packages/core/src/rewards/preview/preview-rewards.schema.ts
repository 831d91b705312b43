import { z } from 'zod';
import { cents, currency, currencyCode, id, signedCents, text } from '../../platform/wire/scalars.ts';
import { REWARD_REASONS } from '../reasons.ts';
import { RewardPay, RewardConditions } from '../rules/reward-rule.schema.ts';
import { CUSTOMER_KINDS, INTERVALS } from '../worth/rule.ts';
import { LINE_NOTES } from '../worth/terms.ts';
import { WARNING_CODES } from '../worth/warnings.ts';

/** A sale that is not recorded, to see what it would earn now. */
export const PreviewRewards = z
  .strictObject({
    id: id('campaign'),
    currency: currency(),
    lines: z
      .array(
        z.strictObject({
          product: text(255).optional(),
          price: text(255).optional(),
          interval: z.enum(INTERVALS).optional(),
          quantity: z.int().min(1).max(1_000_000).default(1),
          amount_cents: cents().describe('Amount of the line without tax, after discounts.'),
        }),
      )
      .min(1)
      .max(100),
    affiliate_id: id('affiliate').optional(),
    link_id: id('link').optional(),
    codes: z.array(text(255)).max(20).default([]).describe('Codes redeemed with the sale.'),
    metadata: z.record(text(40), z.string().max(500)).default({}).describe('Metadata of the sale.').meta({ example: {} }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, REWARD_REASONS.country_code_form)
      .optional()
      .describe('Country of the customer.'),
    sale_number: z.int().min(1).max(1_000_000).default(1).describe('Place of the sale among those of its referral.'),
    age_months: z.int().min(0).max(1200).default(0).describe('Whole months since the first sale of the referral.'),
    tier_ids: z.array(id('tier')).max(100).default([]).describe('Tiers that the affiliate has.'),
    customer: z.enum(CUSTOMER_KINDS).default('new'),
  })
  .meta({ example: { currency: 'USD', lines: [{ product: 'prod_pro', amount_cents: 4990 }] } });
export type PreviewRewards = z.infer<typeof PreviewRewards>;

export const RewardsPreview = z
  .object({
    amount_cents: signedCents().describe('Amount of the commission of the sale, without `bonuses`.'),
    currency: currencyCode(),
    lines: z.array(
      z.object({
        product: z.string().nullable(),
        rule_id: id('reward_rule').nullable().describe('The rule that decides; `null` for the base reward of the campaign.'),
        rule_name: z.string().nullable(),
        pay: RewardPay,
        note: z.enum(LINE_NOTES).nullable(),
        base_cents: signedCents(),
        amount_cents: signedCents(),
      }),
    ),
    bonuses: z
      .array(
        z.object({
          rule_id: id('reward_rule'),
          rule_name: z.string().meta({ example: 'Annual plans' }),
          amount_cents: signedCents(),
          currency: currencyCode(),
        }),
      )
      .describe('Further commissions of the sale, by rules that pay on top.'),
  })
  .meta({ id: 'RewardsPreview', description: 'Earnings of a sale that is not recorded, by the rules of a campaign.' });
export type RewardsPreview = z.infer<typeof RewardsPreview>;

/** A rule that can never match, or that an earlier one takes cases from. */
export const RewardWarning = z
  .object({
    rule_id: id('reward_rule').nullable().describe('The rule; `null` for a rule that is not created yet.'),
    code: z
      .enum(WARNING_CODES)
      .describe(
        '`shadowed`: an earlier rule always decides; `partly_shadowed`: an earlier rule decides about the sales in `when`, for which this rule is, too; `contradiction`: no sale can meet all conditions; `unknown_product` and `unknown_price`: the connected payment provider has none of them; `ended_tier`: all its tiers have ended; `ended_period`: its period is over.',
      ),
    by_rule_id: id('reward_rule').nullable().describe('The rule that decides before (`shadowed`, `partly_shadowed`).'),
    when: RewardConditions.nullable().describe('Conditions of the sales about which that rule decides (`partly_shadowed`).'),
  })
  .meta({ id: 'RewardWarning', description: 'A reward rule that can never match, or from which an earlier one takes sales.' });
export type RewardWarning = z.infer<typeof RewardWarning>;

export const RewardWarnings = z.object({ data: z.array(RewardWarning) });
