import { describe, expect, it } from 'vitest';
import type { Rule, When } from './rule.ts';
import { type Surroundings, warningsOf } from './warnings.ts';

const AROUND: Surroundings = { now: '2028-01-10T00:00:00.000Z', products: null, prices: null, tiers: new Set(['gold']) };

function rule(id: string, when: When, more: Partial<Rule> = {}): Rule {
  return {
    event: 'sale',
    id,
    version: 1,
    link_id: null,
    affiliate_id: null,
    position: 0,
    when,
    pay: { kind: 'percent', basis_points: 2_000 },
    apply: 'instead',
    cap: null,
    milestone: null,
    hold_days: null,
    from: null,
    until: null,
    ...more,
  };
}

/** The warnings about rules in their order: the code, and the rule that decides before. */
function warned(rules: Rule[], around: Partial<Surroundings> = {}): string[] {
  return warningsOf(rules, { ...AROUND, ...around }).map(({ rule_id, code, by_rule_id }) =>
    [rule_id, code, by_rule_id].join(' ').trim(),
  );
}

describe('a rule', () => {
  it.each<[narrow: When, wide: When]>([
    [{ products: ['pro'] }, {}],
    [{ products: ['pro'] }, { products: ['pro', 'team'] }],
    [{ codes: ['ADA'] }, { codes: ['ada', 'BOB'] }],
    [{ metadata: { plan: ['team'], channel: ['web'] } }, { metadata: { plan: ['team', 'pro'] } }],
    [{ sale_number: { from: 1, to: 3 } }, { sale_number: { to: 5 } }],
    [{ age_months: { from: 2, to: 6 } }, { age_months: { to: 12 } }],
    [{ amount: { from: 5_000, currency: 'USD' } }, { amount: { from: 1_000, currency: 'USD' } }],
    [{ customer: 'new', tier: ['gold'] }, { customer: 'new' }],
  ])('with the conditions %j is shadowed by an earlier one with %j, but not the other way round', (narrow, wide) => {
    expect(warned([rule('a', wide), rule('b', narrow)])).toEqual(['b shadowed a']);
    expect(warned([rule('a', narrow), rule('b', wide)])).toEqual([]);
  });

  it('is not shadowed by rules for others, for a period, on top, or about leads', () => {
    expect(warned([rule('a', {}, { apply: 'on_top' }), rule('b', {})])).toEqual([]);
    expect(warned([rule('a', {}, { until: '2028-02-01T00:00:00.000Z' }), rule('b', {})])).toEqual([]);
    expect(warned([rule('a', {}, { event: 'lead' }), rule('b', {}), rule('c', {}, { event: 'lead' })])).toEqual(['c shadowed a']);
    expect(warned([rule('a', {}, { affiliate_id: 'ada' }), rule('b', {}), rule('c', {}, { affiliate_id: 'bob' })])).toEqual([]);
    expect(warned([rule('a', {}, { affiliate_id: 'ada' }), rule('b', {}, { affiliate_id: 'ada' })])).toEqual(['b shadowed a']);
    expect(
      warned([rule('a', { amount: { from: 1, currency: 'EUR' } }), rule('b', { amount: { from: 5, currency: 'USD' } })]),
    ).toEqual([]);
  });

  it('that never matches itself shadows nothing', () => {
    expect(warned([rule('a', {}, { until: '2028-01-01T00:00:00.000Z' }), rule('b', {})])).toEqual(['a ended_period']);
  });

  it.each<When>([
    { sale_number: { to: 1 }, age_months: { from: 1 } },
    { customer: 'new', sale_number: { from: 2 } },
    { customer: 'new', age_months: { from: 3 } },
  ])('with the conditions %j contradicts itself', (when) => {
    expect(warned([rule('a', when)])).toEqual(['a contradiction']);
  });

  it('names products, prices or tiers that do not exist', () => {
    const rules = [
      rule('a', { products: ['pro', 'old'] }),
      rule('b', { products: ['old'] }),
      rule('c', { prices: ['old'] }),
      rule('d', { tier: ['old'] }),
    ];
    expect(warned(rules)).toEqual(['b shadowed a', 'd ended_tier']);
    expect(warned(rules, { products: new Set(['pro']), prices: new Set(['monthly']) })).toEqual([
      'b unknown_product',
      'c unknown_price',
      'd ended_tier',
    ]);
  });
});
