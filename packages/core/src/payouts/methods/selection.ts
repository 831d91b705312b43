import type { PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import { decimalAmount } from '../../platform/money/money.ts';
import { afterFee, feeOf, termsProblem } from '../port/fee.ts';
import type { Method, PayoutItem, Problem, Quote } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';

/** A payout that a method cannot pay, with the first reason. */
interface LeftOutItem {
  item: PayoutItem;
  problem: Problem;
}

/** Returns all reasons why a method cannot pay these payouts together, except their number. */
export function problemsOf(method: Method, items: readonly PayoutItem[]): Problem[] {
  const { currencies } = method;
  const unpaid = items.flatMap(({ payout_id, currency }): Problem[] =>
    currencies === null || currencies.has(currency)
      ? []
      : [{ payout_id, code: 'unsupported_currency', message: PAYOUT_REASONS.currency_not_paid({ payout: payout_id, currency }) }],
  );
  return [...unpaid, ...fractionProblems(method, items), ...method.problems(items)];
}

/** Returns a problem for each payout with a fraction of a unit that the method cannot pay, and that was not carried into the next payout. */
function fractionProblems(method: Method, items: readonly PayoutItem[]): Problem[] {
  return items
    .filter(({ amount_cents, currency }) => amount_cents % (method.unitOf?.(currency) ?? 1) !== 0)
    .map(({ payout_id, amount_cents, currency }) => ({
      payout_id,
      code: 'fractional_amount',
      message: PAYOUT_REASONS.whole_units({ payout: payout_id, currency, amount: decimalAmount(amount_cents, currency) }),
    }));
}

/** The fee and the minimum of the campaign, which decide about the fraction that is carried. */
type Carried = PayoutItem & { affiliate_fee_cents?: number | null; minimum_cents?: number | null };

/** Takes what a method cannot pay from an amount, unless nothing would be left, or less than the campaign's minimum. */
export function inUnits<Item extends Carried>(method: Method, item: Item): Item & { carried_cents: number } {
  const { amount_cents, affiliate_fee_cents, minimum_cents } = item;
  const unit = method.unitOf?.(item.currency) ?? 1;
  const rest = amount_cents - (amount_cents % unit);
  const isTooLittle = amount_cents < unit || rest + (affiliate_fee_cents ?? 0) < (minimum_cents ?? 0);
  const carried_cents = isTooLittle ? 0 : amount_cents - rest;
  return { ...item, amount_cents: amount_cents - carried_cents, carried_cents };
}

/** How the payments of a method are priced. */
export interface Prices {
  terms: PayoutTerms | undefined;
  /** Returns the quote of the rail for a payout (`feeOf`). */
  quoteOf: (payoutId: string) => Quote | null | undefined;
}

/** Selects the payouts that a method can pay together. Holds nothing but the first payout and the named ones, however many it sees. */
export class Selection {
  /** The first payouts that were left out, at most as many as `maxNamed`. */
  readonly leftOut: LeftOutItem[] = [];
  leftOutCount = 0;
  #includedCount = 0;
  /** Decides the currency, if a method pays only one at a time. */
  #first: PayoutItem | undefined;
  readonly #method: Method;
  readonly #maxNamed: number;
  readonly #full: (payoutId: string) => Problem;
  readonly #prices: Prices;

  /** @param full makes the problem of a payout for which there is no place left */
  constructor(method: Method, maxNamed: number, full: (payoutId: string) => Problem, prices: Prices) {
    this.#method = method;
    this.#maxNamed = maxNamed;
    this.#full = full;
    this.#prices = prices;
  }

  /** Returns the payments of those of the next payouts that the method can pay, without the fees that affiliates bear and what is carried over. */
  take<Item extends PayoutItem>(
    payouts: readonly Item[],
  ): (Item & { affiliate_fee_cents: number | null; carried_cents: number })[] {
    const { terms, quoteOf } = this.#prices;
    return payouts.flatMap((payout) => {
      const fee = feeOf(payout, terms, quoteOf(payout.payout_id));
      const item = inUnits(this.#method, afterFee(payout, fee));
      const problem = termsProblem(payout, terms, fee) ?? this.#problemOf(item);
      if (problem === undefined) {
        this.#first ??= item;
        this.#includedCount += 1;
        return [item];
      }
      this.leftOutCount += 1;
      if (this.leftOut.length < this.#maxNamed) this.leftOut.push({ item, problem });
      return [];
    });
  }

  #problemOf(item: PayoutItem): Problem | undefined {
    const [own] = problemsOf(this.#method, [item]);
    if (own) return own;
    const [together] = this.#first ? this.#method.problems([this.#first, item]) : [];
    if (together) return together;
    return this.#includedCount < this.#method.limits.items ? undefined : this.#full(item.payout_id);
  }
}

/** Sum and number of payouts in one currency. */
interface CurrencyTotal {
  currency: string;
  payouts_count: number;
  amount_cents: number;
}

/** Sums of payouts by currency. */
export class Totals {
  count = 0;
  readonly #byCurrency = new Map<string, CurrencyTotal>();

  /** Adds payouts with the fees that their affiliates bear. */
  add(items: readonly (Pick<PayoutItem, 'currency' | 'amount_cents'> & { affiliate_fee_cents: number | null })[]): this {
    this.count += items.length;
    for (const { currency, amount_cents, affiliate_fee_cents } of items) {
      const total = this.#byCurrency.get(currency) ?? { payouts_count: 0, amount_cents: 0 };
      this.#byCurrency.set(currency, {
        currency,
        payouts_count: total.payouts_count + 1,
        amount_cents: total.amount_cents + amount_cents + (affiliate_fee_cents ?? 0),
      });
    }
    return this;
  }

  byCurrency(): CurrencyTotal[] {
    return [...this.#byCurrency.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}
