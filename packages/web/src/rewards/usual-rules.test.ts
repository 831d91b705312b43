import { describe, expect, it } from 'vitest';
import { EMPTY, NEW_TIER, type UsualValues, usualRules, withTier } from './usual-rules.ts';

const rulesOf = (values: Partial<UsualValues>) => usualRules({ ...EMPTY, tier: 'Gold', ...values }, 'USD');

describe('the usual rewards', () => {
  it('are no rules while nothing but the proposed numbers is filled in', () => {
    expect(rulesOf({})).toEqual({ tier: null, rules: [] });
  });

  it('limit the tier to the months of the base reward only if another share follows', () => {
    const whensOf = (values: Partial<UsualValues>) => rulesOf(values)!.rules.map(({ when }) => when);
    expect(whensOf({ tier_percent: 35 })).toEqual([{ tier: [NEW_TIER] }]);
    expect(whensOf({ tier_percent: 35, months: 6, later: 0 })).toEqual([
      { age_months: { from: 6 } },
      { tier: [NEW_TIER], age_months: { to: 6 } },
    ]);
  });

  it('exclude chosen products and those that are typed, and pay the bonus in cents', () => {
    const { rules } = rulesOf({
      excluded: { chosen: ['prod_1'], others: 'addon, gift' },
      bonus: '12.50',
      customers_for_bonus: 5,
    })!;
    expect(rules.map(({ event, when, pay, milestone }) => ({ event, when, pay, milestone }))).toEqual([
      { event: 'sale', when: { products: ['prod_1', 'addon', 'gift'] }, pay: { nothing: true }, milestone: null },
      {
        event: 'milestone',
        when: {},
        pay: { fixed: { amount_cents: 1_250, currency: 'USD', per: 'sale' } },
        milestone: { metric: 'customers', window: 'ever', every: 5 },
      },
    ]);
  });

  it.each<Partial<UsualValues>>([
    { later: 10, months: '' },
    { later: '-' },
    { tier_percent: 35, tier: ' ' },
    { tier_percent: 35, customers_for_tier: 0 },
    { bonus: 'much' },
    { bonus: '5', customers_for_bonus: '' },
  ])('are incomplete with %j', (values) => {
    expect(rulesOf(values)).toBeNull();
  });

  it('name the tier that was created', () => {
    const [rule] = rulesOf({ tier_percent: 35 })!.rules;
    expect(withTier(rule!, 'tier_1').when).toEqual({ tier: ['tier_1'] });
  });
});
