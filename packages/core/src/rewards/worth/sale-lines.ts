/**
 * Lines of a sale, whose amounts always add up to the amount of the sale (docs/rules/rewards.md#lines).
 */
import { apportion } from '../../platform/money/money.ts';
import type { Line } from './evaluate.ts';

/** A line as the merchant or the payment provider states it. A prorated line may be negative. */
export interface StatedLine extends Omit<Line, 'net_cents'> {
  amount_cents: number;
}

/**
 * Returns the lines of a sale. Negative lines reduce lines of the same product first, then all others, never below zero. What discounts or taxes
 * leave over or take away that no line states is divided among the lines in proportion. If no line has an amount, one line without a product has
 * the whole amount.
 *
 * @param amountCents amount of the sale at its charge, without tax
 */
export function linesOfSale(amountCents: number, stated: readonly StatedLine[]): [Line, ...Line[]] {
  const positive = stated.filter(({ amount_cents }) => amount_cents > 0);
  const amounts = positive.map(({ amount_cents }) => amount_cents);
  const taken = stated.filter(({ amount_cents }) => amount_cents < 0);
  // First from lines of the same product, so that the order of the negative lines has no effect on who is reduced.
  const rest = [...Map.groupBy(taken, ({ product }) => product)].map(([product, lines]) => {
    const total = lines.reduce((sum, { amount_cents }) => sum - amount_cents, 0);
    return reduce(amounts, total, (i) => product !== null && positive[i]!.product === product);
  });
  reduce(
    amounts,
    rest.reduce((sum, cents) => sum + cents, 0),
    () => true,
  );
  if (amounts.every((amount) => amount === 0)) return [wholeSale(amountCents)];
  const nets = apportion(amountCents, amounts);
  const isScaled = nets.some((cents, i) => cents !== amounts[i]);
  // At least one line is positive.
  return positive.map(({ product, price, name, interval, quantity }, i) => ({
    product,
    price,
    ...(name != null && { name }),
    interval,
    quantity,
    net_cents: nets[i]!,
    ...(isScaled && { recorded_cents: amounts[i]! }),
  })) as [Line, ...Line[]];
}

/** The only line of a sale of which no lines are known. */
export function wholeSale(amountCents: number): Line {
  return { product: null, price: null, interval: null, quantity: 1, net_cents: amountCents };
}

/** Reduces the chosen amounts in proportion by at most `total`. Returns what is left of `total`. */
function reduce(amounts: number[], total: number, isChosen: (i: number) => boolean): number {
  const chosen = amounts.map((_, i) => i).filter((i) => isChosen(i) && amounts[i]! > 0);
  const most = chosen.reduce((sum, i) => sum + amounts[i]!, 0);
  const reduced = Math.min(total, most);
  if (reduced === 0) return total;
  const weights = chosen.map((i) => amounts[i]!);
  for (const [place, cents] of apportion(reduced, weights).entries()) amounts[chosen[place]!]! -= cents;
  return total - reduced;
}

/**
 * Returns what is left of each line of a sale after refunds. A refund that names lines reduces these lines. All other refunds reduce what is left of
 * every line in proportion. Depends on the sums of the refunds only, and therefore not on their order.
 *
 * @param saleCents amount of the sale after refunds
 * @param lines each line with the sum of the refunds that name it
 */
export function linesAfterRefunds(saleCents: number, lines: readonly { net_cents: number; refunded_cents: number }[]): number[] {
  const left = lines.map(({ net_cents, refunded_cents }) => Math.max(0, net_cents - refunded_cents));
  return apportion(saleCents, left.some((cents) => cents > 0) ? left : lines.map(({ net_cents }) => net_cents));
}
