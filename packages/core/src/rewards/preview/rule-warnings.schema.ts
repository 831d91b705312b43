import { z } from 'zod';
import { id } from '../../platform/wire/scalars.ts';
import { WARNING_CODES } from '../worth/warnings.ts';

/** A rule that can never match. */
export const RewardWarning = z
  .object({
    rule_id: id('reward_rule').nullable().describe('The rule that can never match; `null` for a rule that is not created yet.'),
    code: z
      .enum(WARNING_CODES)
      .describe(
        '`shadowed`: an earlier rule always decides; `contradiction`: no sale can meet all conditions; `unknown_product` and `unknown_price`: the connected payment provider has none of them; `ended_tier`: all its tiers have ended; `ended_period`: its period is over.',
      ),
    by_rule_id: id('reward_rule').nullable().describe('The rule that decides before (`shadowed`).'),
  })
  .meta({ id: 'RewardWarning', description: 'A reward rule that can never match.' });
export type RewardWarning = z.infer<typeof RewardWarning>;

export const RewardWarnings = z.object({ data: z.array(RewardWarning) });
