import type { Inputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { listIn } from './list-text.ts';
import type { WrittenRule } from './rule-values.ts';

/** Values of an input for numbers: text while it is empty or incomplete. */
type NumberText = number | string;

/** The values of the form of the rewards that most programs have. */
export interface UsualValues {
  /** Months of the base reward, and the share after them. */
  months: NumberText;
  later: NumberText;
  /** Products that earn nothing: those that are chosen by name, and ids of others. */
  excluded: { chosen: string[]; others: string };
  bonus: string;
  customers_for_bonus: NumberText;
  tier: string;
  tier_percent: NumberText;
  customers_for_tier: NumberText;
}

export const EMPTY: UsualValues = {
  months: 12,
  later: '',
  excluded: { chosen: [], others: '' },
  bonus: '',
  customers_for_bonus: 10,
  tier: '',
  tier_percent: '',
  customers_for_tier: 10,
};

/** A tier and rules that are not created yet. */
export interface UsualRules {
  tier: Omit<Inputs['tiers']['create'], 'campaign_id'> | null;
  rules: WrittenRule[];
}

/** Id of the tier in the rules while it is not created yet. */
export const NEW_TIER = 'tier_new';

const OF_SALES = {
  event: 'sale',
  apply: 'instead',
  cap: null,
  milestone: null,
  hold_days: null,
  from: null,
  until: null,
} as const;

/**
 * Returns the tier and the rules that the form describes, or null while a number is missing or wrong. The conditions of the rules exclude each other, except
 * that of the excluded products, which comes first. Their order among themselves therefore has no effect.
 */
export function usualRules(values: UsualValues, currency: string): UsualRules | null {
  const { months, later, tier_percent, customers_for_tier, customers_for_bonus } = values;
  const rules: WrittenRule[] = [];
  const products = [...values.excluded.chosen, ...listIn(values.excluded.others)];
  if (products.length > 0) rules.push({ ...OF_SALES, when: { products }, pay: { nothing: true } });
  if (later !== '') {
    if (typeof later !== 'number' || !isCount(months)) return null;
    rules.push({ ...OF_SALES, when: { age_months: { from: months } }, pay: { percent: later } });
  }
  const name = values.tier.trim();
  if (tier_percent !== '') {
    if (typeof tier_percent !== 'number' || name === '' || !isCount(customers_for_tier)) return null;
    const when = { tier: [NEW_TIER], ...(later !== '' && { age_months: { to: months as number } }) };
    rules.push({ ...OF_SALES, when, pay: { percent: tier_percent } });
  }
  if (values.bonus.trim() !== '') {
    const amount_cents = parseDecimalAmount(values.bonus, currency);
    if (amount_cents === null || !isCount(customers_for_bonus)) return null;
    const milestone = { metric: 'customers', window: 'ever', every: customers_for_bonus } as const;
    const pay: WrittenRule['pay'] = { fixed: { amount_cents, currency, per: 'sale' } };
    rules.push({ ...OF_SALES, event: 'milestone', when: {}, pay, milestone });
  }
  if (tier_percent === '') return { tier: null, rules };
  return { tier: { name, metric: 'customers', window: 'month', from: customers_for_tier as number }, rules };
}

function isCount(value: NumberText): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

/** Returns a rule with the id of the tier that was created. */
export function withTier(rule: WrittenRule, tierId: string): WrittenRule {
  return rule.when.tier === undefined ? rule : { ...rule, when: { ...rule.when, tier: [tierId] } };
}
