import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { isExclusion, type Pay, placeFor, type Rule, type When } from './rule.ts';

const NOTHING: Pay = { kind: 'nothing' };
const ADDON: When = { products: ['addon'] };

function rule(id: string, position: number, when: When, pay: Pay, more: Partial<Rule> = {}): Rule {
  const none = { link_id: null, affiliate_id: null, cap: null, milestone: null, hold_days: null, from: null, until: null };
  return { id, version: 1, event: 'sale', apply: 'instead', position, when, pay, ...none, ...more };
}

const percent = (basis_points: number): Pay => ({ kind: 'percent', basis_points });

/** Returns the rule that decides about the add-on. */
function deciding(rules: readonly Rule[]): string | null {
  const addon = { product: 'addon', price: null, interval: null, quantity: 1, net_cents: 1_000 };
  const facts = { affiliate_id: 'ada', link_id: null, currency: 'USD', codes: [], country: null, metadata: {}, tiers: [] };
  const sale = { ...facts, at: '2026-01-01T00:00:00.000Z', lines: [addon], sale_number: 2, age_months: 1, used_cents: {} };
  return evaluate({ rules, base: percent(1_000) }, { ...sale, customer: 'returning' }).sale.lines[0]!.rule_id;
}

describe('a rule that excludes products', () => {
  it.each([
    [true, ADDON, NOTHING],
    [true, { prices: ['price_1'], age_months: { to: 3 } }, NOTHING],
    [false, {}, NOTHING],
    [false, { age_months: { from: 12 } }, NOTHING],
    [false, ADDON, percent(0)],
  ] as const)('is %s of one with the conditions %j that pays %j', (expected, when, pay) => {
    expect(isExclusion(rule('x', 0, when, pay))).toBe(expected);
  });

  it('takes the place of the first rule, and any other rule the last place', () => {
    const others = [{ position: 7 }, { position: 2 }];
    expect(placeFor(rule('x', 0, ADDON, NOTHING), others)).toBe(2);
    expect(placeFor(rule('x', 0, ADDON, percent(500)), others)).toBe(8);
    expect(placeFor(rule('x', 0, ADDON, NOTHING), [])).toBe(0);
  });

  it('decides before the others of its place, not before one of an earlier place, of an affiliate or of a link', () => {
    const exclusion = rule('excludes', 1, ADDON, NOTHING);
    const all = rule('all', 1, {}, percent(2_000));
    expect(deciding([all, exclusion])).toBe('excludes');
    expect(deciding([{ ...all, position: 0 }, exclusion])).toBe('all');
    expect(deciding([{ ...all, position: 2, affiliate_id: 'ada' }, exclusion])).toBe('all');
  });
});

it('of two rules of one place, the one that was created first decides', () => {
  const [first, second] = [rule('rule_1', 1, {}, percent(500)), rule('rule_2', 1, {}, percent(600))];
  expect([deciding([first, second]), deciding([second, first])]).toEqual(['rule_1', 'rule_1']);
});
