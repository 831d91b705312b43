import { describe, expect, it } from 'vitest';
import { type OrderRefund, refundsOfPart } from './without-shipping.ts';

/** An order of 110.00: goods for 100.00, which earn, and shipping for 10.00. */
const ORDER = { earned: 10_000, total: 11_000, currency: 'EUR' };

/** A refund of an amount, which names goods and shipping of these amounts. */
function refund(
  amount: number,
  { goods = 0, shipping = 0, state = 'done' }: { goods?: number; shipping?: number; state?: OrderRefund['state'] } = {},
): OrderRefund {
  const products = goods > 0 ? [{ product: 'pro', amount: goods }] : [];
  return { id: 'refund', at: '2026-01-01T00:00:00.000Z', state, amount, net: goods, tax: 0, named: goods + shipping, products };
}

describe('refunds of an order of which a part earns', () => {
  it.each<[string, OrderRefund[], number[]]>([
    ['a share of an amount', [refund(1_100)], [1_000]],
    ['what they name', [refund(4_000, { goods: 3_000, shipping: 1_000 })], [3_000]],
    ['nothing for shipping', [refund(1_000, { shipping: 1_000 })], [0]],
    [
      'all, once all has gone back',
      [refund(1_000), refund(9_000, { goods: 9_000 }), refund(1_000, { shipping: 1_000 })],
      [909, 9_000, 91],
    ],
    ['no more than there is', [refund(11_000), refund(11_000)], [10_000, 0]],
    [
      'nothing for one that fails',
      [refund(11_000, { state: 'failed' }), refund(5_500), refund(5_500, { goods: 4_500, shipping: 1_000 })],
      [10_000, 5_000, 5_000],
    ],
  ])('take %s', (_, refunds, taken) => {
    expect(refundsOfPart(refunds, ORDER).map(({ amount }) => amount)).toEqual(taken);
  });

  it('take what they name, also if the customer has paid less than the goods cost', () => {
    const paid = { ...ORDER, total: 6_000 };
    expect(refundsOfPart([refund(6_000, { goods: 6_000 })], paid).map(({ amount }) => amount)).toEqual([6_000]);
  });
});
