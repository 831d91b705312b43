import { describe, expect, it } from 'vitest';
import type { Method, PayoutItem, Quote } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { BANK_SEPA } from './bank_sepa/bank-sepa.ts';
import { CSV } from './csv/csv.ts';
import { PAYPAL } from './paypal/paypal.ts';
import { type Prices, problemsOf, Selection, Totals } from './selection.ts';

const payout = (number: number, more: Partial<PayoutItem> = {}): PayoutItem => ({
  payout_id: `payout_${number}`,
  affiliate_id: 'aff_1',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: null,
  addresses: { paypal: { email: 'ada@pay.example' } },
  amount_cents: 1_000,
  currency: 'USD',
  commissions_count: 1,
  payout_created_at: '2026-11-27T12:00:00.000Z',
  ...more,
});

/** A selection that names at most two payouts that it leaves out. */
function select(method: Method, prices: Partial<Prices> = {}) {
  const full = (payout_id: string) => ({
    payout_id,
    code: 'too_many_items' as const,
    message: PAYOUT_REASONS.currency_not_paid({ payout: payout_id, currency: '' }),
  });
  const selection = new Selection(method, 2, full, { terms: undefined, quoteOf: () => undefined, ...prices });
  return {
    selection,
    take: (...items: PayoutItem[]) => selection.take(items).map(({ payout_id }) => payout_id),
    left: () => selection.leftOut.map(({ item, problem }) => `${item.payout_id} ${problem.code}`),
  };
}

describe('a selection of payouts', () => {
  it('takes what the method can pay, and says why it leaves out the others', () => {
    const { take, left, selection } = select(PAYPAL);
    expect(take(payout(1), payout(2, { addresses: {} }))).toEqual(['payout_1']);
    expect(take(payout(3), payout(4, { addresses: {} }), payout(5, { addresses: {} }))).toEqual(['payout_3']);
    expect(left()).toEqual(['payout_2 missing_address', 'payout_4 missing_address']);
    expect(selection.leftOutCount).toBe(3);
  });

  it('pays in the currency of the first payout that it takes, if the method pays in one at a time', () => {
    const { take, left } = select(PAYPAL);
    expect(take(payout(1, { addresses: {}, currency: 'GBP' }), payout(2, { currency: 'EUR' }))).toEqual(['payout_2']);
    expect(take(payout(3), payout(4, { currency: 'EUR' }))).toEqual(['payout_4']);
    expect(left()).toEqual(['payout_1 missing_address', 'payout_3 mixed_currencies']);
    expect(select(CSV).take(payout(1), payout(2, { currency: 'EUR' }))).toEqual(['payout_1', 'payout_2']);
  });

  it('leaves out currencies that the method does not pay', () => {
    const addresses = { bank_sepa: { iban: 'DE89370400440532013000' } };
    const { take, left } = select(BANK_SEPA);
    expect(take(payout(1, { addresses }), payout(2, { addresses, currency: 'EUR' }))).toEqual(['payout_2']);
    expect(left()).toEqual(['payout_1 unsupported_currency']);
    expect(problemsOf(BANK_SEPA, [payout(1), payout(2, { addresses, currency: 'EUR' })]).map(({ code }) => code)).toEqual([
      'unsupported_currency',
      'missing_address',
    ]);
  });

  it('leaves out fractions of the units in which the method pays', () => {
    const [less, whole] = [150, 200].map((amount_cents) => payout(1, { currency: 'HUF', amount_cents }));
    expect(problemsOf(PAYPAL, [less!])).toMatchObject([{ payout_id: 'payout_1', code: 'fractional_amount' }]);
    expect([...problemsOf(PAYPAL, [whole!]), ...problemsOf(CSV, [less!])]).toEqual([]);
  });

  it('takes as many as the method pays at a time', () => {
    const { take, left } = select({ ...CSV, limits: { items: 2 } });
    expect(take(payout(1))).toEqual(['payout_1']);
    expect(take(payout(2), payout(3))).toEqual(['payout_2']);
    expect(left()).toEqual(['payout_3 too_many_items']);
  });

  describe('on terms of the account', () => {
    const terms = {
      method: 'csv',
      fee_bearer: 'affiliate' as const,
      fees: [{ currency: 'USD', amount_cents: 100 }],
      minimums: [{ currency: 'USD', amount_cents: 500 }],
      paused: false,
    };
    const taken = (item: PayoutItem, prices: Partial<Prices>) => {
      const { selection, left } = select(CSV, prices);
      const sent = selection.take([item]).map(({ amount_cents, affiliate_fee_cents }) => [amount_cents, affiliate_fee_cents]);
      return [...sent.flat(), ...left().map((each) => each.split(' ')[1])];
    };

    it('takes off the fee that the affiliate bears', () => {
      expect(taken(payout(1), { terms })).toEqual([900, 100]);
      expect(taken(payout(1), { terms: { ...terms, fee_bearer: 'merchant' } })).toEqual([1_000, 0]);
      expect(taken(payout(1), {})).toEqual([1_000, 0]);
    });

    it('asks for the quote of each payout, and waits for it', () => {
      const quote: Quote = { fee: { cents: 50, currency: 'USD' }, debited: { cents: 1_050, currency: 'USD' } };
      const quoted = { ...terms, fees: [] };
      expect(taken(payout(1), { terms: quoted, quoteOf: (id) => (id === 'payout_1' ? quote : null) })).toEqual([950, 50]);
      expect(taken(payout(2), { terms: quoted, quoteOf: (id) => (id === 'payout_1' ? quote : null) })).toEqual([1_000, 0]);
      expect(taken(payout(1), { terms: quoted })).toEqual([1_000, null]);
    });

    it('leaves out what is paused, below the minimum, or used up by the fee', () => {
      expect(taken(payout(1), { terms: { ...terms, paused: true } })).toEqual(['method_paused']);
      expect(taken(payout(1, { amount_cents: 499 }), { terms })).toEqual(['below_minimum']);
      expect(taken(payout(1, { amount_cents: 500 }), { terms })).toEqual([400, 100]);
      const small = { ...terms, minimums: [] };
      expect(taken(payout(1, { amount_cents: 100 }), { terms: small })).toEqual(['fee_exceeds_amount']);
      expect(taken(payout(1, { amount_cents: 101 }), { terms: small })).toEqual([1, 100]);
    });

    it('counts minimums by currency', () => {
      expect(taken(payout(1, { amount_cents: 400, currency: 'EUR' }), { terms: { ...terms, fee_bearer: 'merchant' } })).toEqual([
        400, 0,
      ]);
    });
  });
});

it('totals are sums by currency, with the fees that affiliates bear', () => {
  const totals = new Totals()
    .add([
      { currency: 'USD', amount_cents: 900, affiliate_fee_cents: 100 },
      { currency: 'EUR', amount_cents: 500, affiliate_fee_cents: null },
    ])
    .add([{ currency: 'USD', amount_cents: 200, affiliate_fee_cents: 0 }]);
  expect(totals.count).toBe(3);
  expect(totals.byCurrency()).toEqual([
    { currency: 'EUR', payouts_count: 1, amount_cents: 500 },
    { currency: 'USD', payouts_count: 2, amount_cents: 1_200 },
  ]);
});
