import type { Pay } from './rule.ts';

export const LINE_NOTES = ['other_currency', 'cap_other_currency'] as const;
/**
 * Why a line does not earn what its rule says. `other_currency`: the commission is in another currency, and nothing is converted.
 * `cap_other_currency`: the cap of the rule is in another currency than its payment, so it does not count.
 */
export type LineNote = (typeof LINE_NOTES)[number];

/** The terms of one line of a sale for a commission. Decided at the charge and then frozen: later changes of rules have no effect on it. */
export interface LineTerms {
  /** Index of the line in the sale. */
  line: number;
  /** The rule that decided. Null for the base reward of the campaign. */
  rule_id: string | null;
  rule_version: number | null;
  pay: Pay;
  quantity: number;
  /** The most that the rule pays for all its lines together. Null for no maximum. */
  at_most_cents: number | null;
  note: LineNote | null;
}

/** The terms of a sale for one commission (docs/rules/rewards.md#terms). */
export interface Terms {
  kind: 'sale' | 'bonus';
  /** Currency of the commission. */
  currency: string;
  lines: readonly LineTerms[];
}
