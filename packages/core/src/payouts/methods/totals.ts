import type { PayoutItem } from '../port/method.ts';

/** Sum and number of payouts in one currency. */
export interface CurrencyTotal {
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
