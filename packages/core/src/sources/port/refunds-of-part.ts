/** Pure: refunds of an order of which only a part earns, e.g. its goods without shipping. */
import { proportionOf } from '../../platform/money/money.ts';
import type { RefundSeen } from './seen.ts';

/** A refund of a whole order. Amounts are with tax, in the minor unit. */
export interface OrderRefund {
  id: string;
  at: string;
  state: RefundSeen['state'];
  /** The money that went back. */
  amount: number;
  /** Sum of the refunded lines that earn, without tax, and the sum of their tax. */
  net: number;
  tax: number;
  /** Sum of all lines of the refund. */
  named: number;
  products: { product: string | null; amount: number }[];
}

/**
 * Returns what the refunds take from the part that earns. Of an amount that no line names, that part has its share. If less went back than the lines add up
 * to, the lines are reduced in proportion. Once the whole order has gone back, nothing is left of that part, whatever the lines say.
 *
 * @param refunds in the order of their time
 * @param of.earned the part of the order that earns
 * @param of.total the whole order
 */
export function refundsOfPart(
  refunds: readonly OrderRefund[],
  { earned, total, currency }: { earned: number; total: number; currency: string },
): RefundSeen[] {
  let [shared, returned, back] = [0, 0, 0];
  return refunds.map(({ id, at, state, amount, net, tax, named, products }) => {
    const own = amount < named ? proportionOf(net + tax, amount, named) : net + tax;
    // The shares of several refunds are rounded as a sum, so that they add up to the whole.
    const before = shareOf(shared);
    const further = Math.max(0, amount - named);
    const left = earned - returned;
    const isRest = earned <= total && back + amount >= total;
    const taken = isRest ? left : clamp(own + shareOf(shared + further) - before, left);
    if (state === 'done') [shared, returned, back] = [shared + further, returned + taken, back + amount];
    const isItemized = taken === net + tax && net > 0;
    return {
      id,
      amount: taken,
      at,
      state,
      failedAt: null,
      taxed: isItemized ? [{ amount: taken, tax: { amount: clamp(tax, taken), currency } }] : [],
      lines: isItemized ? products : [],
    };
  });

  function shareOf(part: number): number {
    return total > 0 ? proportionOf(Math.min(part, total), earned, total) : 0;
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
