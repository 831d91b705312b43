/** Pure: what the refunds and disputes of a payment add up to (docs/rules/ledger.md#refunds). */
import type { Instant } from '../../platform/time/instant.ts';
import type { DisputeSeen, PaymentSeen, RefundSeen } from '../../sources/port/seen.ts';

type MoneyBack = Pick<PaymentSeen, 'refunds' | 'disputes'>;

/** Returns how much of a payment was returned in total. A lost dispute is a refund. */
export function returnedTotal({ refunds, disputes }: MoneyBack): number {
  return sum(refunds.filter(({ state }) => state === 'done')) + sum(disputes.filter(({ outcome }) => outcome === 'lost'));
}

/** Returns how much of the money that a payment returned by now was returned until a time. */
export function returnedUntil({ refunds, disputes }: MoneyBack, time: Instant): number {
  const until = <Each extends { at: Instant }>(all: readonly Each[]) => all.filter(({ at }) => at <= time);
  return returnedTotal({ refunds: until(refunds), disputes: until(disputes) });
}

/** True while at least one dispute of the payment is open (docs/rules/ledger.md#disputes). */
export function isDisputed({ disputes }: Pick<MoneyBack, 'disputes'>): boolean {
  return disputes.some(({ outcome }) => outcome === 'open');
}

/**
 * Returns the part of the refunds whose tax is known, and that tax (docs/rules/ledger.md#tax-of-refunds). A tax in another currency than that of the
 * payment is left out, because nothing is converted between currencies: `isIgnored`.
 */
export function taxedRefunds(refunds: readonly RefundSeen[], currency: string) {
  const taxed = refunds.filter(({ state }) => state === 'done').flatMap((refund) => refund.taxed);
  const counted = taxed.filter(({ tax }) => tax.currency === currency);
  return {
    creditNote: sum(counted),
    creditNoteTax: sum(counted.map(({ tax }) => tax)),
    isIgnored: counted.length < taxed.length,
  };
}

/** Returns the amounts, without tax, that refunds take back from products. Null if no refund names a product. */
export function refundedProducts(refunds: readonly RefundSeen[]): Map<string | null, number> | null {
  if (refunds.every(({ lines }) => lines.length === 0)) return null;
  const refunded = new Map<string | null, number>();
  for (const { state, lines } of refunds)
    for (const { product, amount } of lines)
      refunded.set(product, (refunded.get(product) ?? 0) + (state === 'done' ? amount : 0));
  return refunded;
}

/** Money that went back to the customer, or returned to the merchant because the refund failed. */
export interface ReturnedMoney {
  at: Instant;
  kind: 'refund' | 'refund_failed' | 'dispute_lost';
  /** Negative for a refund. */
  amount: number;
}

/** Returns the history of what was returned. The amounts add up to the returned total with a minus sign. */
export function historyOf({ refunds, disputes }: { refunds: RefundSeen[]; disputes: DisputeSeen[] }): ReturnedMoney[] {
  return [
    ...refunds.flatMap(({ at, amount, state, failedAt }): ReturnedMoney[] => {
      if (state === 'waiting' || (state === 'failed' && failedAt === null)) return [];
      const refund: ReturnedMoney = { at, kind: 'refund', amount: -amount };
      return failedAt === null ? [refund] : [refund, { at: failedAt, kind: 'refund_failed', amount }];
    }),
    ...disputes
      .filter(({ outcome }) => outcome === 'lost')
      .map(({ at, amount }): ReturnedMoney => ({ at, kind: 'dispute_lost', amount: -amount })),
  ];
}

function sum(entries: readonly { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
