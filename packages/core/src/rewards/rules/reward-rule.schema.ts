import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { CREATED_OR_UPDATED } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import {
  cents,
  currency,
  id,
  instant,
  livemode,
  MAX_CENTS,
  nameText,
  percent,
  text,
  timestamp,
} from '../../platform/wire/scalars.ts';
import { REWARD_REASONS } from '../reasons.ts';
import { CAP_SCOPES, CAP_WINDOWS, CUSTOMER_KINDS, INTERVALS, METRICS, MILESTONE_WINDOWS, RULE_EVENTS } from '../worth/rule.ts';

/** Values of a list in a condition. */
const anyOf = (example: string) =>
  z
    .array(text(255))
    .min(1)
    .max(100)
    .meta({ example: [example] });
const bound = (max: number) => z.int().min(0).max(max).optional();

const MAX_METADATA_KEY = 40;
const MAX_CONDITIONS_ON_METADATA = 10;

const conditions = {
  products: anyOf('prod_pro')
    .optional()
    .describe('IDs of products at the payment provider, or those in the `lines` of your reports.'),
  prices: anyOf('price_pro_monthly').optional().describe('IDs of prices, like `products`.'),
  interval: z
    .array(z.enum(INTERVALS))
    .min(1)
    .max(INTERVALS.length)
    .optional()
    .describe('Interval at which the price is charged.'),
  codes: anyOf('ADA20').optional().describe('Codes redeemed with the sale, in any case.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, REWARD_REASONS.country_code_form))
    .min(1)
    .max(250)
    .optional()
    .describe('Countries of the customer, by ISO 3166. Does not hold if the country is not known.')
    .meta({ example: ['DE'] }),
  metadata: z
    .record(text(MAX_METADATA_KEY), anyOf('team'))
    .refine((metadata) => Object.keys(metadata).length <= MAX_CONDITIONS_ON_METADATA, REWARD_REASONS.too_many_keys)
    .optional()
    .describe('Values that the metadata of the sale may have when it earns, by key. Every key must match.')
    .meta({ example: { plan: ['team'] } }),
  sale_number: z
    .strictObject({ from: bound(1_000_000), to: bound(1_000_000) })
    .optional()
    .describe('Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first sale.'),
  age_months: z
    .strictObject({ from: bound(1200), to: bound(1200) })
    .optional()
    .describe('Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months.'),
  amount: z
    .strictObject({ from: cents().optional(), to: cents().optional(), currency: currency() })
    .optional()
    .describe('Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency.'),
  tier: z
    .array(id('tier'))
    .min(1)
    .max(100)
    .optional()
    .describe('Tiers, of which the affiliate has reached one before the charge.')
    .meta({ example: ['tier_01k9v7m3q8e2t4r6w8y0a1b2c3'] }),
  customer: z.enum(CUSTOMER_KINDS).optional().describe('`new`: the first sale of the customer; `returning`: later sales.'),
};

const pay = {
  percent: percent().optional().describe('Percentage of the lines that the rule decides.'),
  fixed: z
    .strictObject({
      amount_cents: cents(),
      currency: currency(),
      per: z
        .enum(['sale', 'unit'])
        .default('sale')
        .describe('`sale`: once per sale; `unit`: for each unit of the lines that the rule decides.'),
    })
    .optional()
    .describe('Fixed amount.'),
  nothing: z.literal(true).optional().describe('The lines that the rule decides earn nothing.'),
};

/** The payment of a rule, on the wire. */
export const RewardPay = z.strictObject(pay);
export type RewardPay = z.infer<typeof RewardPay>;

/** A milestone, on the wire. */
const RewardMilestone = z.strictObject({
  metric: z
    .enum(METRICS)
    .describe(
      '`customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in cents.',
    ),
  window: z
    .enum(MILESTONE_WINDOWS)
    .default('ever')
    .describe('Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force.'),
  every: z.int().min(1).max(MAX_CENTS).optional().describe('Pays at each multiple of this number.'),
  at: z.int().min(1).max(MAX_CENTS).optional().describe('Pays once, when this number is reached.'),
});

/** The conditions of a rule, on the wire. */
export const RewardConditions = z
  .strictObject(conditions)
  .describe('Conditions. All given conditions must hold; a list holds if any of its values does.')
  .meta({ example: { products: ['prod_pro'], age_months: { to: 12 } } });

const fields = {
  name: nameText(200).describe('Name of the rule, for you.').meta({ example: 'Pro in the first year' }),
  position: z
    .int()
    .min(0)
    .max(10_000)
    .describe(
      'Place of the rule among the rules of the campaign. The first rule whose conditions hold decides. At the same place, rules that exclude products come first.',
    ),
  when: RewardConditions,
  pay: RewardPay.describe('Payment of the rule: exactly one of `percent`, `fixed` and `nothing`.').meta({
    example: { percent: 20 },
  }),
  cap: z
    .strictObject({
      amount_cents: cents(),
      currency: currency(),
      per: z.enum(CAP_SCOPES).describe('Unit of the maximum: each sale, each referral, or each affiliate.'),
      window: z.enum(CAP_WINDOWS).default('ever').describe('Calendar period in UTC to which the maximum applies.'),
    })
    .nullable()
    .describe('The most that the rule pays. Has no effect on commissions in another currency.'),
  apply: z
    .enum(['instead', 'on_top'])
    .describe(
      '`instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind` `bonus`).',
    ),
  milestone: RewardMilestone.nullable()
    .describe('For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again.')
    .meta({ example: { metric: 'customers', window: 'ever', every: 10 } }),
  hold_days: z
    .int()
    .min(0)
    .max(365)
    .nullable()
    .describe('For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30.'),
  from: timestamp().nullable().describe('Applies to charges from this time on.'),
  until: timestamp().nullable().describe('Applies to charges before this time.'),
};

const event = z
  .enum(RULE_EVENTS)
  .describe(
    '`sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`: pays a fixed amount for a number of customers or sales, or for revenue.',
  );

const scope = {
  campaign_id: id('campaign'),
  affiliate_id: id('affiliate')
    .nullable()
    .describe('Set if the rule is for sales of this affiliate only. Such a rule comes before those of the campaign.'),
  link_id: id('link')
    .nullable()
    .describe('Set if the rule is for sales through this link only. Such a rule comes before those of the affiliate.'),
};

export const RewardRuleRecord = z
  .object({
    id: id('reward_rule'),
    livemode: livemode(),
    ...scope,
    event,
    ...fields,
    version: z.int().describe('Number of changes, counted from 1. A sale earns by the version that was in force at its charge.'),
    changed_at: instant().describe('Time from which this version is in force.'),
    ended_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'RewardRule',
    description: 'Reward of some sales of a campaign, instead of its base reward or on top of it, or of leads or milestones.',
  });
export type RewardRuleRecord = z.infer<typeof RewardRuleRecord>;

export const RewardRuleEventData = z.object(RewardRuleRecord.shape).meta({ id: 'RewardRuleEventData' });

const { name, pay: paid, ...optional } = fields;
export const CreateRewardRule = z.strictObject({
  campaign_id: scope.campaign_id,
  affiliate_id: scope.affiliate_id.optional(),
  link_id: scope.link_id.optional(),
  name,
  event: event.default('sale'),
  pay: paid,
  ...z.object(optional).partial().shape,
  position: fields.position
    .optional()
    .describe(
      'Place among the rules of the campaign. Defaults to the last one or, for a rule that excludes products or prices, to the first one.',
    ),
});
export type CreateRewardRule = z.infer<typeof CreateRewardRule>;

export const UpdateRewardRule = z
  .strictObject({ id: id('reward_rule'), ...z.object(fields).partial().shape })
  .meta({ example: { pay: { percent: 25 } } });
export type UpdateRewardRule = z.infer<typeof UpdateRewardRule>;

export const RewardRuleId = z.strictObject({ id: id('reward_rule') });

export const ListRewardRules = z.strictObject({
  ...pageInput,
  ...updatedRange,
  sort: z
    .enum(['rank', ...CREATED_OR_UPDATED])
    .default('rank')
    .describe('Order of the records. `rank` is the order in which rules decide. A leading minus means descending.'),
  campaign_id: id('campaign').optional(),
  affiliate_id: id('affiliate').optional(),
  link_id: id('link').optional(),
  ended: z.boolean().optional().describe('`true`: ended rules only. By default, ended rules are left out.'),
});
export type ListRewardRules = z.infer<typeof ListRewardRules>;
export const RewardRulePage = paginated(RewardRuleRecord);

/** Maximum number of rules of a campaign that have not ended. */
export const MAX_RULES = 200;

export const ReorderRewardRules = z.strictObject({
  campaign_id: id('campaign'),
  rule_ids: z
    .array(id('reward_rule'))
    .min(1)
    .max(MAX_RULES)
    .describe('Rules of the campaign in their new order. Rules that are left out come after them, in their former order.'),
});
export type ReorderRewardRules = z.infer<typeof ReorderRewardRules>;
export const ReorderedRewardRules = z.object({ data: z.array(RewardRuleRecord) });
