import fc from 'fast-check';
import type { SaleFacts } from '../../packages/core/src/rewards/worth/evaluate.ts';
import { INTERVALS, type Pay, type Rule, type When } from '../../packages/core/src/rewards/worth/rule.ts';
import { linesOfSale } from '../../packages/core/src/rewards/worth/sale-lines.ts';

/** Few values of each kind, so that conditions often hold and often do not. */
const product = fc.constantFrom('prod_basic', 'prod_pro', 'prod_addon');
const price = fc.constantFrom('price_month', 'price_year');
const interval = fc.constantFrom(...INTERVALS);
const currency = fc.constantFrom('USD', 'EUR');
const cents = fc.oneof(fc.nat(9), fc.nat(20_000), fc.nat(999_999_999_999));
const instant = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-06-15T12:00:00.000Z', '2026-12-01T00:00:00.000Z');
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 2 });
const range = fc.record({ from: fc.nat(6), to: fc.nat(12) }, { requiredKeys: [] });

const when: fc.Arbitrary<When> = fc.record(
  {
    products: some(product),
    prices: some(price),
    interval: some(interval),
    codes: some(fc.constantFrom('ADA20', 'summer')),
    countries: some(fc.constantFrom('DE', 'US')),
    metadata: fc.dictionary(fc.constantFrom('plan', 'source', '__proto__'), some(fc.constantFrom('team', 'app')), { maxKeys: 2 }),
    sale_number: range,
    age_months: range,
    amount: fc.record({ from: fc.nat(20_000), to: fc.nat(30_000), currency }, { requiredKeys: ['currency'] }),
    tier: some(fc.constantFrom('gold', 'silver')),
    customer: fc.constantFrom('new', 'returning'),
  },
  { requiredKeys: [] },
);

/** Leaves out most conditions, because a rule with many conditions never matches. */
const fewConditions = fc.tuple(when, fc.integer({ min: 0, max: 2 }), fc.nat(20)).map(([all, kept, from]): When => {
  const entries = Object.entries(all);
  return Object.fromEntries([...entries, ...entries].slice(from % (entries.length || 1)).slice(0, kept));
});

const basisPoints = fc.integer({ min: 0, max: 10_000 });
const pay: fc.Arbitrary<Pay> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('percent' as const), basis_points: basisPoints }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fixed' as const),
      amount_cents: fc.nat(50_000),
      currency,
      per: fc.constantFrom('sale', 'unit'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'nothing' as const }) },
);

const rule: fc.Arbitrary<Omit<Rule, 'id'>> = fc.record({
  event: fc.constantFrom('sale', 'sale', 'sale', 'sale', 'lead'),
  version: fc.integer({ min: 1, max: 3 }),
  link_id: fc.constantFrom(null, null, null, 'link_a', 'link_b'),
  affiliate_id: fc.constantFrom(null, null, null, 'aff_a', 'aff_b'),
  position: fc.nat(3),
  when: fewConditions,
  pay,
  apply: fc.constantFrom('instead', 'instead', 'on_top'),
  cap: fc.option(
    fc.record({
      amount_cents: fc.nat(10_000),
      currency,
      per: fc.constantFrom('sale', 'referral', 'affiliate'),
      window: fc.constantFrom('ever', 'month', 'year'),
    }),
    { freq: 3 },
  ),
  milestone: fc.constant(null),
  hold_days: fc.constant(null),
  from: fc.option(instant, { freq: 4 }),
  until: fc.option(instant, { freq: 4 }),
});

export const ruleSets: fc.Arbitrary<Rule[]> = fc
  .array(rule, { maxLength: 8 })
  .map((rules) => rules.map((values, i) => ({ id: `rule_${i}`, ...values })));

/** Fixed half of the time, so that lines of another currency than the commission are frequent. */
export const bases: fc.Arbitrary<Pay> = fc.oneof(
  pay.filter((value) => value.kind !== 'fixed'),
  fc.record({ kind: fc.constant('fixed' as const), amount_cents: fc.nat(50_000), currency, per: fc.constant('sale' as const) }),
);

export const statedLines = fc.array(
  fc.record({
    product: fc.option(product),
    price: fc.option(price),
    interval: fc.option(interval),
    quantity: fc.integer({ min: 1, max: 20 }),
    amount_cents: fc.tuple(cents, fc.constantFrom(1, 1, 1, -1)).map(([amount, sign]) => amount * sign),
  }),
  { maxLength: 10 },
);

const lines = fc.tuple(cents, statedLines).map(([amount, stated]) => linesOfSale(amount, stated));

export const facts: fc.Arbitrary<SaleFacts> = fc.record({
  at: instant,
  affiliate_id: fc.constantFrom('aff_a', 'aff_b'),
  link_id: fc.constantFrom(null, 'link_a', 'link_b'),
  currency,
  lines,
  codes: fc.subarray(['ada20', 'SUMMER']),
  country: fc.constantFrom(null, 'DE', 'FR'),
  metadata: fc.dictionary(fc.constantFrom('plan', 'source'), fc.constantFrom('team', 'app', 'other'), { maxKeys: 2 }),
  sale_number: fc.integer({ min: 1, max: 14 }),
  age_months: fc.nat(14),
  customer: fc.constantFrom('new', 'returning'),
  tiers: fc.subarray(['gold', 'silver']),
  used_cents: fc.dictionary(fc.constantFrom('rule_0', 'rule_1', 'rule_2'), fc.nat(12_000)),
});
