import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listIn, listText } from './list-text.ts';
import { changesOf, emptyValues, type Row, ruleOf, type Values, valuesOf, type WrittenRule } from './rule-values.ts';

const MAX_CENTS = 999_999_999_999;

const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
    fc.constantFrom('prod_1', 'a,b', ' x ', '"', 'a""b,', '"a", b'),
  )
  .filter((value) => value.trim() !== '');
const listOf = <Value>(values: fc.Arbitrary<Value>) => fc.array(values, { minLength: 1, maxLength: 4 });
const cents = fc.oneof(fc.nat(10_000), fc.integer({ min: 0, max: MAX_CENTS }));
const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF');
const ids = listOf(fc.constantFrom('tier_1', 'tier_2', 'tier_3'));
const country = fc.string({ minLength: 2, maxLength: 2, unit: fc.constantFrom('A', 'B', 'D', 'E', 'Z') });

/** Ranges whose upper end is at least `least` above the lower one. */
function range(max: number, least: number) {
  return fc
    .record({ from: fc.nat(max), to: fc.integer({ min: 1, max }) }, { requiredKeys: [] })
    .filter(({ from = 0, to = Infinity }) => to >= from + least);
}

const when: fc.Arbitrary<WrittenRule['when']> = fc.record(
  {
    products: listOf(text),
    prices: listOf(text),
    interval: listOf(fc.constantFrom('day', 'week', 'month', 'year', 'one_time')),
    codes: listOf(text),
    countries: listOf(country),
    metadata: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      listOf(text),
      { maxKeys: 4 },
    ),
    sale_number: range(1_000_000, 0),
    age_months: range(1200, 1),
    amount: fc.tuple(range(MAX_CENTS, 1), currency).map(([ends, code]) => ({ ...ends, currency: code })),
    tier: ids,
    customer: fc.constantFrom('new', 'returning'),
  },
  { requiredKeys: [] },
);

const fixed = (per: fc.Arbitrary<'sale' | 'unit'>) =>
  fc.record({ amount_cents: cents, currency, per }).map((paid) => ({ fixed: paid }));
const pay: fc.Arbitrary<WrittenRule['pay']> = fc.oneof(
  fc.nat(10_000).map((hundredths) => ({ percent: hundredths / 100 })),
  fixed(fc.constantFrom('sale', 'unit')),
  fc.constant({ nothing: true as const }),
);
const period = fc
  .tuple(
    ...[0, 1].map(() => fc.option(fc.date({ min: new Date('1970-01-02'), max: new Date('2999-12-30'), noInvalidDate: true }))),
  )
  .map(([from, until]) => ({ from: from?.toISOString() ?? null, until: until?.toISOString() ?? null }))
  .filter(({ from, until }) => from === null || until === null || from < until);

const sale: fc.Arbitrary<WrittenRule> = fc
  .record({
    event: fc.constant('sale' as const),
    when,
    pay,
    apply: fc.constantFrom('instead' as const, 'on_top' as const),
    cap: fc.option(
      fc.record({
        amount_cents: cents,
        currency,
        per: fc.constantFrom('sale', 'referral', 'affiliate'),
        window: fc.constantFrom('ever', 'month', 'year'),
      }),
    ),
    milestone: fc.constant(null),
    hold_days: fc.constant(null),
    period,
  })
  .filter(({ apply, pay: paid }) => apply === 'instead' || !('nothing' in paid))
  .map(({ period: times, ...rule }) => ({ ...rule, ...times }));

const once = { pay: fixed(fc.constant('sale')), apply: fc.constant('instead' as const), cap: fc.constant(null), period };
const lead: fc.Arbitrary<WrittenRule> = fc
  .record({
    ...once,
    event: fc.constant('lead' as const),
    when: fc.record({ countries: listOf(country), tier: ids }, { requiredKeys: [] }),
    milestone: fc.constant(null),
    hold_days: fc.option(fc.nat(365)),
  })
  .map(({ period: times, ...rule }) => ({ ...rule, ...times }));
const milestone: fc.Arbitrary<WrittenRule> = fc
  .record({
    ...once,
    event: fc.constant('milestone' as const),
    when: fc.record({ tier: ids }, { requiredKeys: [] }),
    milestone: fc
      .record({
        metric: fc.constantFrom('customers' as const, 'sales' as const, 'revenue' as const),
        window: fc.constantFrom('ever' as const, 'month' as const, 'quarter' as const),
        pays: fc.constantFrom('every', 'at'),
        count: fc.integer({ min: 100, max: MAX_CENTS }),
      })
      .map(({ metric, window, pays, count }) => ({ metric, window, [pays]: count })),
    hold_days: fc.constant(null),
  })
  .map(({ period: times, ...rule }) => ({ ...rule, ...times }));

describe('the form of a rule', () => {
  it('saves every rule as it was opened', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: sale }, lead, milestone), (rule) => {
        expect(ruleOf(valuesOf(rule, 'USD', null), rule)).toEqual(rule);
        const offered = { products: [{ id: 'prod_1' }], prices: [{ id: 'prod_1' }] };
        expect(changesOf(rule, ruleOf(valuesOf(rule, 'USD', offered), rule)!)).toEqual({});
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<Row>(['products', 'prices', 'interval', 'codes', 'countries', 'metadata', 'tier', 'cap', 'period'])(
    'is incomplete while the row %s is empty',
    (row) => {
      expect(ruleOf({ ...emptyValues('USD'), rows: [row] })).toBeNull();
    },
  );

  it.each<[string, Partial<Values>]>([
    ['a country is not a code', { rows: ['countries'], countries: 'Germany' }],
    ['an amount has too many decimals', { rows: ['amount'], amount: { from: '1.005', to: '', currency: 'USD' } }],
    ['a key has no values', { rows: ['metadata'], metadata: [{ key: 'plan', values: ' , ' }] }],
    ['a time is none', { rows: ['period'], period: { from: '12026-01-01T00:00', until: '' } }],
    ['a rule on top pays nothing', { kind: 'on_top', pays: 'nothing' }],
    ['the amount of a lead is missing', { kind: 'lead' }],
    ['a goal is 0', { kind: 'milestone', fixed: { amount: '5', currency: 'USD', per: 'sale' }, milestone: goal(0) }],
  ])('is incomplete while %s', (_, values) => {
    expect(ruleOf({ ...emptyValues('USD'), ...values })).toBeNull();
  });

  it('leaves out conditions that the kind of rule cannot have', () => {
    const values: Values = { ...emptyValues('USD'), rows: ['codes', 'countries', 'cap'], codes: 'ADA', countries: 'de' };
    const paid = { ...values, fixed: { ...values.fixed, amount: '3' }, cap: { ...values.cap, amount: '5' } };
    expect(ruleOf(paid)).toMatchObject({ when: { codes: ['ADA'], countries: ['DE'] }, cap: { amount_cents: 500 } });
    expect(ruleOf({ ...paid, kind: 'lead' })).toMatchObject({ when: { countries: ['DE'] }, cap: null, hold_days: 30 });
    expect(ruleOf({ ...paid, kind: 'milestone' })).toMatchObject({ when: {}, cap: null, milestone: { every: 10 } });
  });

  it('names only the fields that changed', () => {
    const stored = ruleOf({ ...emptyValues('USD'), rows: ['codes'], codes: 'ADA, BOB' })!;
    const written = ruleOf({
      ...valuesOf(stored, 'USD', null),
      rows: ['codes', 'cap'],
      codes: 'BOB, ADA',
      cap: { amount: '5', currency: 'USD', per: 'affiliate', window: 'ever' },
    })!;
    expect(changesOf(stored, written)).toEqual({
      cap: { amount_cents: 500, currency: 'USD', per: 'affiliate', window: 'ever' },
    });
  });
});

describe('a list as text', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(text), (values) => {
        expect(listIn(listText(values))).toEqual(values);
      }),
    );
  });

  it.each([
    ['addon, gift', ['addon', 'gift']],
    [' pro ,, ', ['pro']],
    ['', []],
    ['"a, b", c', ['a, b', 'c']],
    ['"open, c', ['open, c']],
  ])('%j has the values %j', (written, values) => {
    expect(listIn(written)).toEqual(values);
  });
});

function goal(count: number): Values['milestone'] {
  return { ...emptyValues('USD').milestone, count };
}
