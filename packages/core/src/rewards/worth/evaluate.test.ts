import { describe, expect, it } from 'vitest';
import { amountOf, basePay } from './amount-of.ts';
import { evaluate, type Line, ruleForLead, type SaleFacts } from './evaluate.ts';
import type { Pay, Rule } from './rule.ts';

const PERCENT: Pay = { kind: 'percent', basis_points: 1_000 };
const fixed = (amount_cents: number, per: 'sale' | 'unit' = 'sale', currency = 'USD'): Pay => ({
  kind: 'fixed',
  amount_cents,
  currency,
  per,
});

function rule(id: string, more: Partial<Rule> = {}): Rule {
  const none = { link_id: null, affiliate_id: null, cap: null, milestone: null, hold_days: null, from: null, until: null };
  return { id, version: 3, event: 'sale', apply: 'instead', position: 0, when: {}, pay: PERCENT, ...none, ...more };
}

const line = (product: string | null, net_cents: number, quantity = 1): Line => ({
  product,
  price: null,
  interval: null,
  quantity,
  net_cents,
});

function sale(lines: Line[], more: Partial<SaleFacts> = {}): SaleFacts {
  const facts = { affiliate_id: 'ada', link_id: null, currency: 'USD', codes: [], country: null, metadata: {}, tiers: [] };
  const rest = { sale_number: 1, age_months: 0, used_cents: {}, customer: 'new' } as const;
  return { ...facts, ...rest, at: '2028-01-10T00:00:00.000Z', lines, ...more };
}

describe('the terms of a sale', () => {
  it('name the version of the rule that decides about each line, and no rule for the base reward', () => {
    const { sale: terms } = evaluate(
      { rules: [rule('pro', { when: { products: ['pro'] } })], base: fixed(50) },
      sale([line('pro', 700, 2), line('add-on', 300)]),
    );
    expect(terms).toEqual({
      kind: 'sale',
      currency: 'USD',
      lines: [
        { line: 0, rule_id: 'pro', rule_version: 3, pay: PERCENT, quantity: 2, at_most_cents: null, note: null },
        { line: 1, rule_id: null, rule_version: null, pay: fixed(50), quantity: 1, at_most_cents: null, note: null },
      ],
    });
  });

  it('have what the cap of a rule leaves, unless the cap is in another currency than the rule pays in', () => {
    const capped = (currency: string, pay: Pay) => {
      const cap = { amount_cents: 100, currency, per: 'referral', window: 'ever' } as const;
      const { sale: terms } = evaluate(
        { rules: [rule('r', { pay, cap })], base: PERCENT },
        sale([line('pro', 700)], { used_cents: { r: 30 } }),
      );
      const { at_most_cents, note } = terms.lines[0]!;
      return [at_most_cents, note];
    };
    expect(capped('USD', PERCENT)).toEqual([70, null]);
    expect(capped('EUR', PERCENT)).toEqual([null, 'cap_other_currency']);
    expect(capped('EUR', fixed(50, 'sale', 'EUR'))).toEqual([70, null]);
    expect(capped('USD', fixed(50, 'sale', 'EUR'))).toEqual([null, 'cap_other_currency']);
    expect(capped('EUR', { kind: 'nothing' })).toEqual([70, null]);
  });

  it('have one currency: that of the sale if a line pays in it, otherwise that of the first line that pays', () => {
    const terms = (pays: Pay[]) =>
      evaluate(
        { rules: pays.map((pay, i) => rule(`r${i}`, { when: { products: [`p${i}`] }, pay })), base: PERCENT },
        sale(pays.map((_, i) => line(`p${i}`, 100))),
      ).sale;
    const paid = (pays: Pay[]) => {
      const { currency, lines } = terms(pays);
      return [currency, ...lines.map(({ pay, note }) => note ?? pay.kind)];
    };
    const eur = fixed(50, 'sale', 'EUR');
    expect(paid([eur, PERCENT])).toEqual(['USD', 'other_currency', 'percent']);
    expect(paid([eur, fixed(50, 'sale', 'GBP')])).toEqual(['EUR', 'fixed', 'other_currency']);
    expect(paid([{ kind: 'nothing' }, eur])).toEqual(['EUR', 'nothing', 'fixed']);
    expect(paid([{ kind: 'nothing' }])).toEqual(['USD', 'nothing']);
  });

  it('pay on top for the lines that a rule means', () => {
    const { bonuses } = evaluate(
      {
        rules: [
          rule('b', { apply: 'on_top', when: { products: ['pro'] }, pay: fixed(5) }),
          rule('c', { apply: 'on_top', when: { products: ['x'] } }),
        ],
        base: PERCENT,
      },
      sale([line('add-on', 300), line('pro', 700)]),
    );
    expect(bonuses).toMatchObject([{ kind: 'bonus', currency: 'USD', lines: [{ line: 1, rule_id: 'b' }] }]);
  });
});

describe('the amount of terms', () => {
  const paid = (pay: Pay, lines: Line[], nets = lines.map(({ net_cents }) => net_cents)) => {
    const { sale: terms } = evaluate({ rules: [], base: pay }, sale(lines));
    const { cents, lines: parts } = amountOf(terms, nets);
    return [cents, ...parts.map((part) => part.cents)];
  };

  it('is divided by units if the rule pays for units, otherwise by what is left of the lines', () => {
    const lines = [line('pro', 900, 1), line('add-on', 100, 3)];
    expect(paid(fixed(20, 'unit'), lines)).toEqual([80, 20, 60]);
    expect(paid(fixed(80), lines)).toEqual([80, 72, 8]);
    expect(paid(fixed(20, 'unit'), lines, [0, 100])).toEqual([60, 0, 60]);
    expect(paid(PERCENT, lines)).toEqual([100, 90, 10]);
    expect(paid({ kind: 'nothing' }, lines)).toEqual([0, 0, 0]);
  });
});

it('a campaign pays its percentage, its amount, or nothing', () => {
  const terms = { commission_basis_points: null, commission_amount_cents: null, commission_amount_currency: null };
  const pay = (more: object) => basePay({ ...terms, ...more } as Parameters<typeof basePay>[0]);
  expect(pay({ commission_basis_points: 500 })).toEqual({ kind: 'percent', basis_points: 500 });
  expect(pay({ commission_amount_cents: 700, commission_amount_currency: 'EUR' })).toEqual(fixed(700, 'sale', 'EUR'));
  expect(pay({})).toEqual({ kind: 'nothing' });
  expect(pay({ commission_amount_cents: 700 })).toEqual({ kind: 'nothing' });
  expect(pay({ commission_amount_currency: 'EUR' })).toEqual({ kind: 'nothing' });
});

it('a lead is rewarded by the first rule for leads that means it, and for a tier by any of them', () => {
  const at = '2028-01-10T00:00:00.000Z';
  const first = (rules: Rule[], more: object = {}) =>
    ruleForLead(rules, { at, affiliate_id: 'ada', link_id: null, country: 'DE', tiers: ['gold'], ...more })?.id ?? null;
  const lead = (id: string, more: Partial<Rule> = {}) => rule(id, { event: 'lead', pay: fixed(300), ...more });
  expect(first([rule('sale'), lead('lead')])).toBe('lead');
  expect(first([rule('sale')])).toBeNull();
  expect(first([lead('b', { position: 2 }), lead('a', { position: 1 })])).toBe('a');
  expect(first([lead('at', { when: { countries: ['AT'] } }), lead('de', { when: { countries: ['DE'] } })])).toBe('de');
  expect(first([lead('de', { when: { countries: ['DE'] } })], { country: null })).toBeNull();
  expect(first([lead('tier', { when: { tier: ['silver', 'gold'] } })])).toBe('tier');
  expect(first([lead('tier', { when: { tier: ['silver'] } })])).toBeNull();
});
