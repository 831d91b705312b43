import { z } from 'zod';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import { UpdateCampaign } from '../../program/campaigns/campaign.schema.ts';
import { RewardWarning } from '../../rewards/preview/preview-rewards.schema.ts';
import { CreateRewardRule, MAX_RULES, UpdateRewardRule } from '../../rewards/rules/reward-rule.schema.ts';

/** Days of which the sales are computed. */
export const EFFECT_DAYS = 30;
/** Maximum number of sales that are computed. */
export const MAX_EFFECT_SALES = 2_000;

/** A change of the rewards of a campaign that is not made, to see what it changes. */
export const PreviewRewardChange = z
  .strictObject({
    id: id('campaign'),
    create: CreateRewardRule.omit({ campaign_id: true }).optional().describe('A new rule.'),
    update: z
      .strictObject(UpdateRewardRule.shape)
      .meta({ example: { id: 'rule_01k9v7m3q8e2t4r6w8y0a1b2c3', pay: { percent: 25 } } })
      .optional()
      .describe('New values of a rule.'),
    end: id('reward_rule').optional().describe('A rule to end.'),
    rule_ids: z.array(id('reward_rule')).min(1).max(MAX_RULES).optional().describe('Rules in a new order.'),
    base: UpdateCampaign.pick({
      reward_type: true,
      commission_percent: true,
      commission_amount_cents: true,
      commission_amount_currency: true,
    })
      .optional()
      .describe('A new base reward of the campaign.'),
  })
  .meta({ example: { create: { name: 'Pro', when: { products: ['prod_pro'] }, pay: { percent: 25 } } } });
export type PreviewRewardChange = z.infer<typeof PreviewRewardChange>;

export const RewardEffect = z
  .object({
    explanation: z.string().describe('Meaning of the change, in plain words.'),
    from: instant().describe('Start of the time whose sales are computed.'),
    until: instant(),
    sales_count: z.int().describe('Number of sales that are computed.'),
    is_complete: z
      .boolean()
      .describe(`\`false\` if there are more than ${MAX_EFFECT_SALES} sales. Then the latest ${MAX_EFFECT_SALES} are computed.`),
    totals: z
      .array(
        z.object({
          currency: currencyCode(),
          current_cents: signedCents().describe('Cost of these sales by the rules as they are now.'),
          changed_cents: signedCents().describe('Cost of these sales by the changed rules.'),
        }),
      )
      .describe('One entry for each currency.'),
    warnings: z
      .array(RewardWarning)
      .describe('Rules that could never match after the change, or from which an earlier one would take sales.'),
  })
  .meta({
    id: 'RewardEffect',
    description:
      'Cost that the sales of a campaign would have had with other rewards. Rewards for leads and milestones are left out.',
  });
export type RewardEffect = z.infer<typeof RewardEffect>;
