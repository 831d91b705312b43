import { amountIn, shareIn } from '../../platform/mail/in-language.ts';
import type { Pay } from '../worth/rule.ts';
import type { LineNote } from '../worth/terms.ts';

/** The reward of a line of a sale, and the rule that decides it. */
export interface ExplainedLine {
  /** Name and version of the rule that decided; null for the base reward. */
  rule_name: string | null;
  rule_version: number | null;
  pay: Pay;
  note: LineNote | null;
  quantity: number;
  at_most_cents: number | null;
  /** Amount of the line after refunds, in the currency of the sale. */
  base_cents: number;
  sale_currency: string;
  /** Reward of the line, in the currency of the commission. */
  amount_cents: number;
  currency: string;
}

/** Explains in English what a line of a sale earns: the rule that decided, and what it pays. */
export function lineInWords(line: ExplainedLine): string {
  const { rule_name, rule_version, note, at_most_cents, currency } = line;
  const by =
    rule_name === null
      ? 'No rule matches, so the base reward decides'
      : `The rule “${rule_name}” (version ${rule_version}) decides`;
  if (note === 'other_currency') return `${by}. It pays in another currency than the commission, and nothing is converted.`;
  const most =
    note === 'cap_other_currency'
      ? ' The maximum of the rule is in another currency than its payment, so it does not count.'
      : at_most_cents === null
        ? ''
        : ` At most ${amountIn('en', { amount_cents: at_most_cents, currency })} for all lines of the rule.`;
  return `${by}: ${rewardOf(line)}.${most}`;
}

function rewardOf({ pay, quantity, base_cents, sale_currency, amount_cents, currency }: ExplainedLine): string {
  if (pay.kind === 'nothing') return 'nothing';
  const earned = amountIn('en', { amount_cents, currency });
  if (base_cents === 0) return 'nothing is left of the line after refunds';
  if (pay.kind === 'percent')
    return `${shareIn('en', pay.basis_points / 10_000)} of ${amountIn('en', { amount_cents: base_cents, currency: sale_currency })} is ${earned}`;
  const each = amountIn('en', pay);
  return pay.per === 'unit'
    ? `${each} for each of ${quantity} units is ${earned}`
    : `${each} for the lines of the rule, of which this line has ${earned}`;
}
