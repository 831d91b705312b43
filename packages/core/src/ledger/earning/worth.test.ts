import { expect, it } from 'vitest';
import type { Commission } from '../commissions/commission.entity.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { isOfRules, keptByBase, plainWorth, worthByRules } from './worth.ts';

const sale = (more: Partial<Sale> = {}) =>
  ({
    charge_amount_cents: 1_200,
    tax_amount_cents: 200,
    refund_amount_cents: 0,
    credit_note_refund_cents: 0,
    credit_note_tax_cents: 0,
    imported_refund_cents: null,
    currency: 'USD',
    metadata: {},
    ...more,
  }) as Sale;
const commission = (more: Partial<Commission>) =>
  ({ imported_cents: null, basis_points: null, amount_cents: 500, currency: 'USD', ...more }) as Commission;

it.each<[string, Partial<Commission>, Partial<Sale>, number]>([
  ['a percentage is that of what is left of the sale', { basis_points: 2_000 }, { refund_amount_cents: 600 }, 100],
  ['a fixed amount stays while something is left', {}, { refund_amount_cents: 1_199 }, 500],
  ['a fixed amount ends with the sale', {}, { refund_amount_cents: 1_200 }, 0],
  ['an imported amount stays without refunds', { imported_cents: 333 }, {}, 333],
  [
    'an imported amount stays with the refunds from before the import',
    { imported_cents: 333 },
    { refund_amount_cents: 400, imported_refund_cents: 400 },
    333,
  ],
  [
    'an imported amount shrinks with what had been paid',
    { imported_cents: 400 },
    { refund_amount_cents: 800, imported_refund_cents: 400 },
    200,
  ],
  ['an imported amount shrinks without earlier refunds', { imported_cents: 400 }, { refund_amount_cents: 300 }, 300],
  [
    'an imported amount of a sale that was refunded before stays',
    { imported_cents: 333 },
    { refund_amount_cents: 1_200, imported_refund_cents: 1_200 },
    333,
  ],
])('%s', (_, of, more, cents) => {
  expect(keptByBase(commission(of), sale(more))).toBe(cents);
});

const BASE = { commission_basis_points: null, commission_amount_cents: 500, commission_amount_currency: 'EUR' };

it('a fixed base reward is paid in its own currency', () => {
  expect(plainWorth(sale(), BASE as never)).toMatchObject({ terms: { currency: 'EUR' }, amount: { cents: 500 }, bonuses: [] });
});

it('terms are kept by line if a rule decided about one of them, or one of them earns something else', () => {
  const terms = (...notes: [rule_id: string | null, note: string | null][]) =>
    ({ lines: notes.map(([rule_id, note]) => ({ rule_id, note })) }) as never;
  expect(isOfRules(terms([null, null], [null, null]))).toBe(false);
  expect(isOfRules(terms([null, null], ['r', null]))).toBe(true);
  expect(isOfRules(terms([null, null], [null, 'other_currency']))).toBe(true);
});

it('rules see the lines as they were at the charge, and the refunds of lines reduce these', () => {
  const line = (product: string, net_cents: number, refunded_cents = 0) => ({
    product,
    price: null,
    interval: null,
    quantity: 1,
    net_cents,
    refunded_cents,
  });
  const rule = {
    event: 'sale',
    id: 'r',
    version: 1,
    link_id: null,
    affiliate_id: null,
    position: 0,
    // At the charge, the sale was of 1,000.
    when: { products: ['pro'], amount: { from: 1_000, currency: 'USD' } },
    pay: { kind: 'percent', basis_points: 5_000 },
    apply: 'instead',
    cap: null,
    milestone: null,
    hold_days: null,
    from: null,
    until: null,
  } as const;
  const around = {
    at: '2026-11-27T12:00:00.000Z',
    affiliate_id: 'aff_1',
    link_id: null,
    codes: [],
    country: null,
    sale_number: 1,
    age_months: 0,
    customer: 'new',
    tiers: [],
    used_cents: {},
  } as const;
  const centsOf = (of: Sale, lines: Parameters<typeof worthByRules>[1]) =>
    worthByRules(of, lines, [rule], BASE as never, around).amount.lines.map(({ cents }) => cents);
  expect(centsOf(sale(), [line('pro', 600), line('mug', 400)])).toEqual([300, 0]);
  // The amount was corrected since: lines follow in proportion.
  expect(centsOf(sale({ charge_amount_cents: 2_400, tax_amount_cents: 400 }), [line('pro', 600), line('mug', 400)])).toEqual([
    600, 0,
  ]);
  expect(centsOf(sale({ refund_amount_cents: 360 }), [line('pro', 600, 300), line('mug', 400)])).toEqual([150, 0]);
  expect(centsOf(sale(), null)).toEqual([500]);
});
