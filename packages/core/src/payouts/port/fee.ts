/** The fee of a payment that its affiliate bears (docs/rules/payouts.md#fees). Pure functions of the payout, the terms of the account and the quote of the rail. */
import type { PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import type { PayoutItem, Problem, Quote } from './method.ts';
import { nameOf } from './method.ts';
import { PAYOUT_REASONS } from './reasons.ts';

type Payout = Pick<PayoutItem, 'amount_cents' | 'currency'>;

/** Reports whether affiliates bear the fee that the rail quotes for payments in a currency. */
export function bearsQuote(terms: PayoutTerms | undefined, currency: string): boolean {
  return terms?.fee_bearer === 'affiliate' && !terms.fees.some((fee) => fee.currency === currency);
}

/**
 * Returns the part of a payout that its affiliate bears as the fee, in cents.
 *
 * @param quote what the rail quotes for the whole amount. Null: it cannot say. Undefined: it was not asked yet
 * @returns null if the rail has to be asked first
 */
export function feeOf(payout: Payout, terms: PayoutTerms | undefined, quote: Quote | null | undefined): number | null {
  if (bearsQuote(terms, payout.currency)) return quote === undefined ? null : quote === null ? 0 : quotedFee(payout, quote);
  const fixed = terms?.fee_bearer === 'affiliate' && terms.fees.find(({ currency }) => currency === payout.currency);
  return fixed ? fixed.amount_cents : 0;
}

/** Returns a quoted fee in the currency of the payout, at the rate of the quote, rounded down. 0 if the quote has no rate. */
export function quotedFee({ amount_cents, currency }: Payout, { fee, debited }: Quote): number {
  if (fee.cents <= 0) return 0;
  if (fee.currency === currency) return fee.cents;
  const exchanged = debited.cents - fee.cents;
  if (fee.currency !== debited.currency || exchanged <= 0) return 0;
  return Number((BigInt(fee.cents) * BigInt(amount_cents)) / BigInt(exchanged));
}

/** Returns the payment of a payout from which a fee is taken. */
export function afterFee<Item extends PayoutItem>(
  payout: Item,
  fee: number | null,
): Item & { affiliate_fee_cents: number | null } {
  return { ...payout, amount_cents: payout.amount_cents - (fee ?? 0), affiliate_fee_cents: fee };
}

/** Returns the reason why a payout is not paid on these terms, or undefined. */
export function termsProblem(payout: PayoutItem, terms: PayoutTerms | undefined, fee: number | null): Problem | undefined {
  const { payout_id, amount_cents, currency } = payout;
  const problem = (code: 'method_paused' | 'below_minimum' | 'fee_exceeds_amount'): Problem => ({
    payout_id,
    code,
    message: PAYOUT_REASONS[code]({ name: nameOf(payout), payout: payout_id }),
  });
  if (terms?.paused) return problem('method_paused');
  const minimum = terms?.minimums.find((each) => each.currency === currency);
  if (minimum && amount_cents < minimum.amount_cents) return problem('below_minimum');
  return fee !== null && fee >= amount_cents ? problem('fee_exceeds_amount') : undefined;
}
