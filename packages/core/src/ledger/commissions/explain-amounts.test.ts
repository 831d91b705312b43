/** The words of docs/rules/ledger.md#explanations as a function of facts. */
import { describe, expect, it } from 'vitest';
import { counted, explained, joined } from './explain-amounts.ts';

type Facts = Parameters<typeof explained>[1];
type Line = Parameters<typeof explained>[2][number];

const SALE = { id: 'sale_1', charge_cents: 1_200, tax_cents: 200, refund_cents: 0, amount_cents: 1_000, currency: 'USD' };
const COMMISSION: Facts = {
  id: 'com_1',
  kind: 'sale',
  state: 'due',
  note: null,
  void_reason: null,
  adjusts_commission_id: null,
  basis_points: 2_000,
  rule_name: null,
  milestone_times: null,
  adjusted_cents: 0,
  amount_cents: 200,
  currency: 'USD',
  sale: SALE,
};
const line = (amount_cents: number, more: Partial<Line> = {}) =>
  ({
    rule_name: 'Pro',
    rule_version: 1,
    pay: { kind: 'percent', basis_points: 2_000 },
    note: null,
    quantity: 1,
    at_most_cents: null,
    base_cents: 1_000,
    sale_currency: 'USD',
    currency: 'USD',
    amount_cents,
    shown_name: null,
    ...more,
  }) as Line;

/** The steps in words, each with its part of the amount. The parts add up to the amount. */
function steps(facts: Partial<Facts>, lines: Line[] = [], reader: 'account' | 'affiliate' = 'account'): string[] {
  const explanation = explained(reader, { ...COMMISSION, ...facts }, lines);
  expect(explanation.steps.reduce((sum, each) => sum + (each.amount_cents ?? 0), 0)).toBe(explanation.amount_cents);
  expect(explanation.text).toBe(explanation.steps.map(({ text }) => text).join(' '));
  return explanation.steps.map(({ kind, text, amount_cents }) =>
    `${kind}: ${text}${amount_cents === null ? '' : ` [${amount_cents}]`}`.replaceAll('\u00A0', ' '),
  );
}
const rewardOf = (facts: Partial<Facts>) => steps({ sale: null, amount_cents: 500, ...facts });

const CHARGED = 'sale: US$12.00 were charged; without US$2.00 of tax, US$10.00 count.';
const SHARE = 'base_reward: The campaign pays 20% of US$10.00, rounded to US$2.00. [200]';
const CAPPED = 'Caps of rules and rounding limit the sum.';
const KEPT = 'The commission keeps the amount that it had when it was claimed or paid, or a limit applies.';
const ADJUSTED = 'The sale changed after the commission had been claimed or paid. Adjustments correct the difference.';

describe('the amount of the commission of a sale', () => {
  it('is a share of what counts of the sale', () => {
    expect(steps({})).toEqual([CHARGED, SHARE]);
    expect(explained('account', COMMISSION, []).in_words.de).toContain('Die Kampagne zahlt');
  });

  it.each([
    [{ tax_cents: 0, amount_cents: 1_200 }, 'US$12.00 were charged; all of it counts.'],
    [{ tax_cents: 0, refund_cents: 200 }, 'US$12.00 were charged; without US$2.00 refunded, US$10.00 count.'],
    [
      { refund_cents: 600, amount_cents: 500 },
      'US$12.00 were charged; without US$2.00 of tax and US$6.00 refunded, US$5.00 count.',
    ],
  ])('says what counts of a sale with %j', (sale, text) => {
    expect(steps({ sale: { ...SALE, ...sale } })[0]).toBe(`sale: ${text}`);
  });

  it('says to an affiliate what counts without the tax', () => {
    const said = (sale: object) => steps({ sale: { ...SALE, ...sale } }, [], 'affiliate')[0];
    expect(said({})).toBe('sale: The sale counts with US$10.00, without tax.');
    expect(said({ refund_cents: 600, amount_cents: 500 })).toBe(
      'sale: The sale counts with US$5.00: it was US$10.00 without tax, and US$5.00 of that were refunded.',
    );
  });

  it('is a fixed amount, or that of its lines', () => {
    expect(steps({ basis_points: null })[1]).toBe('base_reward: The campaign pays a fixed amount of US$2.00 for the sale. [200]');
    expect(steps({ basis_points: null }, [line(150), line(50)]).slice(1)).toEqual([
      'line: The rule “Pro” (version 1) decides: 20% of US$10.00 is US$1.50. [150]',
      'line: The rule “Pro” (version 1) decides: 20% of US$10.00 is US$0.50. [50]',
    ]);
  });

  it('names to an affiliate what was sold, and no rules', () => {
    const said = (shown_name: string | null, reader: 'account' | 'affiliate') =>
      steps({}, [line(200, { shown_name })], reader)[1];
    expect(said('Mug', 'affiliate')).toBe('line: Mug: A special reward decides: 20% of US$10.00 is US$2.00. [200]');
    expect(said(null, 'affiliate')).toBe('line: A special reward decides: 20% of US$10.00 is US$2.00. [200]');
    expect(said('Mug', 'account')).toBe('line: The rule “Pro” (version 1) decides: 20% of US$10.00 is US$2.00. [200]');
  });

  it('has a step for what it has beside its parts', () => {
    expect(steps({ amount_cents: 150 }).at(-1)).toBe(`difference: ${KEPT} [-50]`);
    expect(steps({ amount_cents: 250 }, [line(200)]).at(-1)).toBe(`difference: ${CAPPED} [50]`);
    expect(steps({ amount_cents: 150, adjusted_cents: 50 }).at(-1)).toBe(`difference: ${ADJUSTED} [-50]`);
    expect(steps({ amount_cents: 150, adjusted_cents: 50 }, [line(200)]).at(-1)).toBe(`difference: ${ADJUSTED} [-50]`);
  });

  it('says that it is voided, and to members why', () => {
    const voided = { state: 'voided', void_reason: 'fraud' };
    expect(steps(voided).at(-1)).toBe('voided: It is voided (fraud), so nothing of it is paid.');
    expect(steps({ ...voided, void_reason: null }).at(-1)).toBe('voided: It is voided, so nothing of it is paid.');
    expect(steps(voided, [], 'affiliate').at(-1)).toBe('voided: It is voided, so nothing of it is paid.');
  });
});

describe('the amount of another commission', () => {
  it.each<[Partial<Facts>, string]>([
    [{ kind: 'manual' }, 'manual: US$5.00 were entered by hand. [500]'],
    [{ kind: 'manual', note: 'Thanks' }, 'manual: US$5.00 were entered by hand (Thanks). [500]'],
    [{ kind: 'imported' }, 'imported: The amount was imported from another tool. [500]'],
    [{ kind: 'bonus', rule_name: 'Top' }, 'rule: The rule “Top” pays US$5.00. [500]'],
    [{ kind: 'lead' }, 'rule: A rule pays US$5.00. [500]'],
    [{ kind: 'milestone', rule_name: 'Ten', milestone_times: 1 }, 'rule: The rule “Ten” pays US$5.00. [500]'],
    [{ kind: 'milestone', rule_name: 'Ten', milestone_times: 2 }, 'rule: The rule “Ten” pays US$5.00 (2 times). [500]'],
    [{ kind: 'milestone', milestone_times: 2 }, 'rule: A rule pays US$5.00 (2 times). [500]'],
    [{ kind: 'sale' }, 'base_reward: The campaign pays a fixed amount of US$5.00 for the sale. [500]'],
  ])('%j is said in words', (facts, text) => {
    expect(rewardOf(facts)).toEqual([text]);
  });

  it('is that of an adjustment, whatever its sale', () => {
    const adjustment = { kind: 'adjustment', amount_cents: -300, adjusts_commission_id: 'com_0' } as const;
    const text = 'adjustment: Corrects the commission com_0, whose amount had been claimed or paid, by -US$3.00. [-300]';
    expect([steps(adjustment), steps({ ...adjustment, sale: null })]).toEqual([[text], [text]]);
  });

  it('names no rule to an affiliate', () => {
    expect(steps({ kind: 'bonus', rule_name: 'Top', sale: null }, [], 'affiliate')).toEqual(['rule: A rule pays US$2.00. [200]']);
  });
});

describe('what a sale earns', () => {
  const of = (facts: Partial<Facts>) =>
    counted({ ...COMMISSION, ...facts }, explained('account', { ...COMMISSION, ...facts }, []));

  it('is the sum of its commissions, and says once what of the sale counts', () => {
    const bonus = of({ kind: 'bonus', rule_name: 'Top', amount_cents: 50 });
    const sum = joined([of({}), bonus])!;
    expect([sum.amount_cents, sum.currency, ...sum.steps.map(({ kind }) => kind)]).toEqual([
      250,
      'USD',
      'sale',
      'base_reward',
      'rule',
    ]);
    expect(joined([])).toBeNull();
  });

  it('is nothing of a voided commission', () => {
    const voided = of({ state: 'voided' });
    expect([voided.amount_cents, ...voided.steps.map(({ amount_cents }) => amount_cents)]).toEqual([0, null, 200, -200]);
  });
});
