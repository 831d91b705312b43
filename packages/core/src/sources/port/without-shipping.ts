/** Pure: a payment of which only a part earns, e.g. its goods without shipping, and its refunds. */
import { proportionOf } from '../../platform/money/money.ts';
import type { PaymentSeen, RefundSeen } from './seen.ts';

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

/** The amounts of a payment, and what went back of it. */
export type Amounts = Pick<PaymentSeen, 'charged' | 'refunds' | 'disputes'>;

/** The part of a paid amount that is for shipping, with its tax, from which nobody earns. In the currency's minor unit. */
export interface ShippingCost {
  /** With tax. */
  amount: number;
  tax: number;
}

/**
 * Pure: leaves the shipping out of a payment. What refunds and lost disputes return is shared by the shipping and the rest in proportion, but for the
 * products and the shipping that credit notes name.
 *
 * @param credited the shipping, with its tax, that refunds name, by the id of the refund
 */
export function withoutShipping<Told extends Amounts>(
  told: Told,
  shipping: ShippingCost | null,
  credited: ReadonlyMap<string, number> = new Map(),
): Told {
  const { charged, refunds, disputes } = told;
  if (shipping === null || charged === null) return told;
  const { amount: total, currency } = charged.amount;
  const earned = total - shipping.amount;
  const tax = charged.tax?.currency === currency ? charged.tax.amount : null;
  const returned = [
    ...refunds.map((refund): OrderRefund => {
      const taxed = refund.lines.length === 0 ? [] : refund.taxed.filter((part) => part.tax.currency === currency);
      const noted = taxed.reduce((sum, part) => sum + part.amount, 0);
      const allTax = taxed.reduce((sum, part) => sum + part.tax.amount, 0);
      const net = taxed.length === 0 ? 0 : refund.lines.reduce((sum, line) => sum + line.amount, 0);
      // A note may return shipping, too, with a share of its tax.
      const tax = net === 0 ? 0 : proportionOf(allTax, net, Math.max(net, noted - allTax));
      return {
        id: refund.id,
        at: refund.at,
        state: refund.state,
        amount: refund.amount,
        net,
        tax,
        named: refund.lines.length === 0 ? Math.min(credited.get(refund.id) ?? 0, refund.amount) : noted,
        products: refund.lines,
      };
    }),
    ...disputes.map(({ id, at, amount, outcome }): OrderRefund => ({
      id,
      at,
      state: outcome === 'lost' ? 'done' : 'failed',
      amount,
      net: 0,
      tax: 0,
      named: 0,
      products: [],
    })),
  ];
  const parts = refundsOfPart(returned, { earned, total, currency });
  return {
    ...told,
    charged: {
      ...charged,
      amount: { amount: earned, currency },
      tax: tax === null ? charged.tax : { amount: Math.max(0, Math.min(tax - shipping.tax, earned)), currency },
    },
    refunds: refunds.map((refund, i) => {
      const { amount, taxed, lines } = parts[i]!;
      return { ...refund, amount, taxed, lines };
    }),
    disputes: disputes.map((dispute, i) => ({ ...dispute, amount: parts[refunds.length + i]!.amount })),
  };
}
