import { z } from 'zod';
import { currencyCode, signedCents, textInEachLanguage } from '../../platform/wire/scalars.ts';

const STEP_KINDS = [
  'sale',
  'line',
  'base_reward',
  'rule',
  'adjustment',
  'manual',
  'imported',
  'commissions',
  'difference',
  'voided',
  'fee',
  'screening',
] as const;

/** The explanation of an amount of money. */
export const AmountExplanation = z
  .object({
    amount_cents: signedCents().describe('The explained amount.'),
    currency: currencyCode(),
    text: z.string().describe('The explanation in plain English: all steps, one after the other.'),
    in_words: textInEachLanguage().describe('`text` in each language.'),
    steps: z
      .array(
        z.object({
          kind: z
            .enum(STEP_KINDS)
            .describe(
              '`sale`: the amount of the sale that counts. `line`: a line of the sale, by its rule. `base_reward`: by the terms of the campaign. `rule`: a reward of a rule that no line of a sale earns. `commissions`: commissions of a kind in a payout. `difference`: caps, rounding, and changes after the amount was claimed or paid. `fee`: the part of the payout that is not sent, because the affiliate bears it as the fee. `screening`: the reason why the affiliate is not paid yet.',
            ),
          text: z.string(),
          in_words: textInEachLanguage().describe('`text` in each language.'),
          amount_cents: signedCents()
            .nullable()
            .describe('Part of the amount; `null` for a step that only explains. The parts add up to the amount.'),
        }),
      )
      .describe('Steps from what was sold to the amount.'),
  })
  .meta({ id: 'AmountExplanation', description: 'The steps by which an amount came about.' });
export type AmountExplanation = z.infer<typeof AmountExplanation>;
