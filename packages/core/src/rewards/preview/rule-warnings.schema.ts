import { z } from 'zod';
import { id } from '../../platform/wire/scalars.ts';
import { RewardConditions } from '../rules/reward-rule.schema.ts';
import { WARNING_CODES } from '../worth/warnings.ts';

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
