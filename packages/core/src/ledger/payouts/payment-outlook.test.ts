/** The words about payments as a function of facts (docs/rules/ledger.md#outlook). `test/portal/payment-outlook.test.ts` has who reads them. */
import { describe, expect, it } from 'vitest';
import { feeIn, type OwedFacts, outlookOf, type Payment, paymentIn, termsIn } from './payment-outlook.ts';

const NOW = '2026-11-27T12:00:00.000Z';
const PAYPAL = {
  name: { en: 'PayPal', de: 'PayPal' },
  alone: { en: 'by PayPal', de: 'über PayPal' },
  to: { en: 'by PayPal to {hint}', de: 'über PayPal an {hint}' },
  arrives: { en: 'within minutes', de: 'in wenigen Minuten' },
};
const BY_PAYPAL = { kind: 'paypal', hint: 'a…@pay.example', words: PAYPAL, terms: undefined, quotes: false };
const TERMS = { method: 'paypal', fee_bearer: 'merchant' as const, fees: [], minimums: [], paused: false };

const OWED: OwedFacts = {
  currency: 'USD',
  open_cents: 1_000,
  reasons: [],
  minimum_cents: null,
  payouts_held_until: null,
  pending_cents: 0,
  next_due_at: null,
  in_review_cents: 0,
  time_zone: 'Europe/Berlin',
  methods: [BY_PAYPAL],
  claimed: [],
};
const CLAIMED = {
  amount_cents: 700,
  affiliate_fee_cents: null,
  state: 'sent' as const,
  expires_at: null,
  isPaused: false,
  hint: 'a…@pay.example',
  words: PAYPAL,
};

const plain = (text: string) => text.replaceAll('\u00A0', ' ');
const outlook = (facts: Partial<OwedFacts>) => outlookOf({ ...OWED, ...facts }, NOW);
const words = (facts: Partial<OwedFacts>) => plain(outlook(facts).in_words.en);

const BY = 'The payment goes by PayPal to a…@pay.example.';
const WAITS = 'US$10.00 cannot be paid yet.';

describe('the next payment', () => {
  it.each<[string, Partial<OwedFacts>, string[], string | null, string]>([
    ['nothing is in the way of', {}, [], null, `US$10.00 can be paid with the next payment. ${BY}`],
    [
      'an affiliate without an address',
      { methods: [] },
      ['no_address'],
      'enter_payout_details',
      `${WAITS} There is no address to pay to: enter the payout details.`,
    ],
    [
      'an affiliate who has left',
      { methods: [], reasons: ['affiliate_inactive'] },
      ['affiliate_inactive'],
      'pay_by_hand',
      'US$10.00 is still to be paid. The membership in the program has ended, so the program pays by hand.',
    ],
    [
      'an affiliate who has left with an address',
      { reasons: ['affiliate_inactive'] },
      ['affiliate_inactive'],
      'pay_by_hand',
      'US$10.00 is still to be paid. The membership in the program has ended, so the program pays by hand.',
    ],
    [
      'an affiliate under review',
      { reasons: ['on_hold'] },
      ['on_hold'],
      'review_affiliate',
      `${WAITS} The program is reviewing the account, and pays after that. ${BY}`,
    ],
    [
      'less than the minimum',
      { reasons: ['below_minimum'], minimum_cents: 5_000 },
      ['below_minimum'],
      null,
      `${WAITS} Payouts start at US$50.00. ${BY}`,
    ],
    [
      'new details',
      // Midnight in Berlin.
      { reasons: ['details_changed'], payouts_held_until: '2026-11-29T23:00:00.000Z' },
      ['details_changed'],
      null,
      `${WAITS} The payout details have changed, so payments wait until 30 November 2026. ${BY}`,
    ],
    [
      'a program that moves in',
      { reasons: ['moving_in'] },
      ['moving_in'],
      null,
      `${WAITS} The program is moving to this service. Until then, it pays where it has paid so far. ${BY}`,
    ],
    [
      'a name that has to be compared with lists',
      { reasons: ['screening'] },
      ['screening'],
      null,
      `${WAITS} The program checks the details of the account before it pays. ${BY}`,
    ],
    [
      'several at once',
      { methods: [], reasons: ['on_hold', 'screening'] },
      ['on_hold', 'no_address', 'screening'],
      'enter_payout_details',
      `${WAITS} The program is reviewing the account, and pays after that. There is no address to pay to: enter the payout details. The program checks the details of the account before it pays.`,
    ],
  ])('with %s: what is in the way, and who has to act', (_, facts, obstacles, to_do, said) => {
    expect(outlook(facts)).toMatchObject({ obstacles, to_do });
    expect(words(facts)).toBe(said);
  });

  it.each<[string, Partial<OwedFacts>, string[], string]>([
    ['is nothing if nothing is open', { open_cents: null }, ['empty'], 'Nothing is due at the moment.'],
    ['is nothing if zero is open', { open_cents: 0 }, ['empty'], 'Nothing is due at the moment.'],
    [
      'is nothing if more was taken back than earned',
      { open_cents: -300 },
      ['negative'],
      'US$3.00 more was taken back by refunds than was earned. The next commissions make up for it.',
    ],
  ])('%s, whatever else is in the way', (_, facts, obstacles, said) => {
    const held: Partial<OwedFacts> = {
      methods: [],
      reasons: ['below_minimum', 'details_changed', 'moving_in', 'screening'],
      payouts_held_until: '2026-12-01T00:00:00.000Z',
    };
    for (const more of [{}, held]) {
      expect(outlook({ ...facts, ...more })).toMatchObject({ obstacles, to_do: null, payable_cents: 0, payable_from: null });
      expect(words({ ...facts, ...more })).toBe(said);
    }
    // That an affiliate is not active or under review matters only if something is owed.
    const inactive = outlook({ ...facts, reasons: ['affiliate_inactive', 'on_hold'] });
    expect(inactive).toMatchObject({ obstacles: [...obstacles, 'affiliate_inactive', 'on_hold'], to_do: null });
    expect(plain(inactive.in_words.en)).toBe(said);
  });

  it('can be made from now on, or from the end of the wait for new details', () => {
    const payable = (facts: Partial<OwedFacts>) => {
      const { payable_cents, payable_from } = outlook(facts);
      return [payable_cents, payable_from];
    };
    const payouts_held_until = '2026-12-01T00:00:00.000Z';
    expect(payable({})).toEqual([1_000, NOW]);
    expect(payable({ reasons: ['details_changed'], payouts_held_until })).toEqual([0, payouts_held_until]);
    expect(payable({ reasons: ['details_changed', 'on_hold'], payouts_held_until })).toEqual([0, null]);
    expect(payable({ reasons: ['details_changed', 'moving_in'], payouts_held_until })).toEqual([0, null]);
    expect(payable({ reasons: ['on_hold'], payouts_held_until })).toEqual([0, null]);
  });

  it('says what is in the way of the rest, beside a payment that is on its way', () => {
    expect(words({ reasons: ['on_hold'], claimed: [{ ...CLAIMED, words: undefined, hint: null }] })).toBe(
      `US$7.00 is on its way by the program. ${WAITS} The program is reviewing the account, and pays after that. ${BY}`,
    );
  });

  it('has the ways to pay', () => {
    const unnamed = { ...BY_PAYPAL, kind: 'toy', hint: '1001', words: undefined };
    expect(words({ methods: [BY_PAYPAL, unnamed] })).toBe(
      'US$10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example or by the program.',
    );
    expect(outlook({ methods: [unnamed] }).methods).toEqual([{ kind: 'toy', hint: '1001' }]);
  });

  it('has the terms of each way to pay', () => {
    const terms = { ...TERMS, minimums: [{ currency: 'USD', amount_cents: 5_000 }] };
    const methods = [{ ...BY_PAYPAL, terms }, BY_PAYPAL, { ...BY_PAYPAL, kind: 'toy', words: undefined, terms }];
    expect(words({ methods })).toContain('. PayPal: Payments start at US$50.00. toy: Payments start at US$50.00.');
    expect(plain(outlook({ methods }).in_words.de)).toContain('PayPal: Gezahlt wird ab 50,00 $.');
  });

  it('tells what is reviewed, what falls due later, and what is on its way', () => {
    const facts = {
      open_cents: 0,
      in_review_cents: 200,
      pending_cents: 300,
      next_due_at: '2026-11-30T23:30:00.000Z',
      claimed: [CLAIMED, { ...CLAIMED, amount_cents: 100, state: 'unclaimed' as const }],
    };
    expect(outlook(facts)).toMatchObject({ on_its_way_cents: 800, pending_cents: 300, in_review_cents: 200 });
    expect(outlook(facts).to_do).toBe('accept_payment');
    expect(words(facts)).toBe(
      'US$7.00 is on its way by PayPal to a…@pay.example. The money usually arrives within minutes. ' +
        'US$1.00 was sent by PayPal to a…@pay.example, and waits there to be accepted. ' +
        'US$2.00 is being reviewed by the program. US$3.00 more is not due yet, the next part on 1 December 2026.',
    );
  });
});

describe('the terms of a method', () => {
  const usd = (amount_cents: number) => ({ currency: 'USD', amount_cents });
  const eur = (amount_cents: number) => ({ currency: 'EUR', amount_cents });
  const said = (terms: Partial<typeof TERMS> | object, { quotes = false, of }: { quotes?: boolean; of?: number } = {}) =>
    plain(termsIn('en', { terms: { ...TERMS, ...terms }, quotes }, of === undefined ? undefined : usd(of)));
  const borne = { fee_bearer: 'affiliate' };

  it('are not said without any', () => {
    expect(termsIn('en', { terms: undefined, quotes: true })).toBe('');
    expect(said({}, { quotes: true })).toBe('');
    expect(said({ fees: [usd(100)] })).toBe('');
    expect(said(borne)).toBe('');
  });

  it('are the pause and the minimums, in all currencies or in that of a payout', () => {
    const terms = { paused: true, minimums: [usd(5_000), eur(4_000)] };
    expect(said(terms)).toBe(
      'The program has paused these payments for now. Payments start at US$50.00. Payments start at €40.00.',
    );
    expect(said(terms, { of: 1_000 })).toBe('The program has paused these payments for now. Payments start at US$50.00.');
  });

  it('are the fees that affiliates bear, and those that a service quotes in other currencies', () => {
    const fees = [usd(100), eur(90)];
    expect(said({ ...borne, fees })).toBe(
      'A fee of US$1.00 is taken from each payment. A fee of €0.90 is taken from each payment.',
    );
    expect(said({ ...borne, fees }, { of: 1_000 })).toBe('A fee of US$1.00 is taken from the payment, so that US$9.00 arrive.');
    expect(said({ ...borne, fees }, { quotes: true })).toBe(
      'A fee of US$1.00 is taken from each payment. A fee of €0.90 is taken from each payment. In other currencies, the fee of the service is taken from each payment.',
    );
    expect(said({ ...borne, fees }, { quotes: true, of: 1_000 })).toBe(
      'A fee of US$1.00 is taken from the payment, so that US$9.00 arrive.',
    );
    const quoted = 'The fee of the service is taken from each payment.';
    expect(said({ ...borne, fees: [eur(90)] }, { quotes: true, of: 1_000 })).toBe(quoted);
    expect(said(borne, { quotes: true })).toBe(quoted);
  });

  it('do not say what arrives of a payout that the fee uses up', () => {
    expect(plain(feeIn('en', usd(100), usd(101)))).toBe('A fee of US$1.00 is taken from the payment, so that US$0.01 arrive.');
    expect(plain(feeIn('en', usd(100), usd(100)))).toBe('A fee of US$1.00 is taken from each payment.');
  });
});

describe('a payment', () => {
  const PAYMENT: Payment = {
    ...CLAIMED,
    currency: 'USD',
    paid_at: null,
    payment_reference: null,
    time_zone: 'Europe/Berlin',
  };
  const said = (more: Partial<Payment>, now?: string) => plain(paymentIn('en', { ...PAYMENT, ...more }, now));

  it.each<[Partial<Payment>, string]>([
    [{ state: 'prepared' }, 'US$7.00 is being paid.'],
    [{ state: 'approved' }, 'US$7.00 is being paid.'],
    [
      { state: 'approved', isPaused: true },
      'US$7.00 is ready, and waits because the program has paused payments by PayPal to a…@pay.example.',
    ],
    [
      { state: 'sent', isPaused: true },
      'US$7.00 is on its way by PayPal to a…@pay.example. The money usually arrives within minutes.',
    ],
    [
      { state: 'in_transit', words: { ...PAYPAL, arrives: undefined as never } },
      'US$7.00 is on its way by PayPal to a…@pay.example.',
    ],
    [{ state: 'in_transit', words: undefined, hint: null }, 'US$7.00 is on its way by the program.'],
    [
      { state: 'unclaimed', expires_at: '2026-12-31T23:30:00.000Z' },
      'US$7.00 was sent by PayPal to a…@pay.example, and waits there to be accepted until 1 January 2027.',
    ],
    [{ state: 'unclaimed' }, 'US$7.00 was sent by PayPal to a…@pay.example, and waits there to be accepted.'],
    [
      { state: 'prepared', affiliate_fee_cents: 100 },
      'US$7.00 is being paid. A fee of US$1.00 is taken from the payment, so that US$6.00 arrive.',
    ],
    [{ state: 'prepared', affiliate_fee_cents: 0 }, 'US$7.00 is being paid.'],
  ])('with %j is told in words', (more, text) => {
    expect(said(more)).toBe(text);
  });

  it('that was made is told with its day and its reference', () => {
    const paid_at = '2026-11-30T23:30:00.000Z';
    expect(said({ paid_at, hint: null })).toBe('Paid by PayPal on 1 December 2026.');
    expect(said({ paid_at, payment_reference: 'BANK-7', words: undefined })).toBe(
      'Paid by the program on 1 December 2026, with the reference BANK-7.',
    );
    expect(said({ paid_at, affiliate_fee_cents: 100 })).toBe(
      'Paid by PayPal to a…@pay.example on 1 December 2026. A fee of US$1.00 is taken from the payment, so that US$6.00 arrive.',
    );
  });

  it('says for a week when the money arrives', () => {
    const paid_at = '2026-11-20T12:00:00.000Z';
    expect(said({ paid_at }, '2026-11-27T11:59:59.999Z')).toContain('arrives within minutes.');
    expect(said({ paid_at }, '2026-11-27T12:00:00.000Z')).toBe('Paid by PayPal to a…@pay.example on 20 November 2026.');
  });
});
