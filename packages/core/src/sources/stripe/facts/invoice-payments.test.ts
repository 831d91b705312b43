import { expect, test } from 'vitest';
import type { InvoicePayment } from '../values/provider-event.ts';
import { paymentsOf, unlistedAmount } from './invoice.ts';

const inside = (paymentIntentId: string, amount: number): InvoicePayment => ({ chargeId: null, paymentIntentId, amount });
const outside = (amount: number): InvoicePayment => ({ chargeId: null, paymentIntentId: null, amount });

test.each<[string, InvoicePayment[], number, InvoicePayment[]]>([
  ['nothing', [], 100, [outside(100)]],
  ['everything', [inside('pi_1', 60), inside('pi_2', 40)], 0, [inside('pi_1', 60), inside('pi_2', 40)]],
  ['a part', [inside('pi_1', 60)], 40, [inside('pi_1', 60), outside(40)]],
  ['payments outside the provider', [outside(30), inside('pi_1', 60), outside(10)], 0, [inside('pi_1', 60), outside(40)]],
  ['a part, with one outside the provider', [outside(30), inside('pi_1', 60)], 10, [inside('pi_1', 60), outside(40)]],
  ['more than was paid', [inside('pi_1', 120)], 0, [inside('pi_1', 120)]],
])(
  'an invoice of 100 of which the provider lists %s has the right payments in any order',
  (_what, listed, unlisted, expected) => {
    for (const order of [listed, listed.toReversed()]) {
      expect(unlistedAmount(100, order)).toBe(unlisted);
      const payments = paymentsOf(100, order);
      expect(payments).toHaveLength(expected.length);
      expect(payments).toEqual(expect.arrayContaining(expected));
    }
  },
);
