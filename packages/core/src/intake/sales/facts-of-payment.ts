/** Pure: a snapshot of a payment in the words of the service's own records. */
import type { RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { PaidOutside } from '../../ledger/sales/sale.entity.ts';
import type { PaymentFacts } from '../../ledger/sales/sale.transitions.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import { isOwnMode } from '../../sources/connections/own-mode.ts';
import type { DisputeSeen, PaymentSeen, RefundSeen } from '../../sources/port/seen.ts';
import { isPsp } from '../../sources/psp-wire.ts';

/** A payment of which something was charged. */
export type ChargedPayment = PaymentSeen & { charged: object };

export function isCharged(seen: PaymentSeen): seen is ChargedPayment {
  return seen.charged !== null;
}

/** Returns what a payment says about its sale. */
export function factsOf(accountId: string, seen: ChargedPayment, paid_outside: PaidOutside | null): PaymentFacts {
  const { connectionId, names, group, charged, refunds, excluded } = seen;
  const { amount, tax, at } = charged;
  // A tax in another currency is left out, because nothing is converted between currencies.
  const isOther = tax !== null && tax.currency !== amount.currency;
  return {
    connection_id: connectionId,
    livemode: livemodeOf(accountId, seen),
    names: names.toSorted(),
    name_of_group: group?.name ?? null,
    charge_amount_cents: amount.amount,
    tax_amount_cents: tax === null || isOther ? 0 : Math.min(tax.amount, amount.amount),
    tax_ignored: (isOther && tax.amount !== 0) || taxedRefunds(refunds, amount.currency).isIgnored,
    currency: amount.currency,
    charged_at: at,
    excluded,
    paid_outside,
  };
}

/** Returns the stored mode of a payment. Null for one of the account's own mode that no connection told: a report of the merchant does not know the mode. */
function livemodeOf(accountId: string, { mode, connectionId }: PaymentSeen): boolean | null {
  if (!isOwnMode(accountId, mode)) return false;
  return connectionId === null ? null : true;
}

/** Returns the promotion code that was redeemed with a payment. */
export function codeOfPayment(accountId: string, seen: PaymentSeen): RedeemedCode {
  return {
    psp_promotion_code_ids: seen.codes.flatMap(({ id }) => id ?? []),
    code: seen.codes.find(({ text }) => text !== null)?.text ?? undefined,
    livemode: livemodeOf(accountId, seen) ?? undefined,
  };
}

/** Returns the details of the payer in a fact about a time. */
export function customerOfPayer(seen: Pick<PaymentSeen, 'source' | 'connectionId' | 'payer'>, at: Instant): KnownCustomer {
  const { source, payer } = seen;
  const { ids, externalId: external_customer_id, email, name } = payer;
  const by = source === REPORT ? 'merchant' : 'provider';
  return { source: by, shown_at: at, ...payerId(seen, ids[0] ?? null), external_customer_id, email, name };
}

/** The source of the merchant's reports. */
export const REPORT = 'report';

/**
 * Returns the identity of a payer by an id that a connection gave. Two shops may have different customers with the same id. Reports of the merchant name
 * the ids of the provider.
 */
export function payerId(
  { source, connectionId }: Pick<PaymentSeen, 'source' | 'connectionId'>,
  id: string | null,
): Pick<KnownCustomer, 'psp_customer_id' | 'payer_id'> {
  if (source === REPORT || isPsp(source)) return { psp_customer_id: id };
  return { payer_id: id && `${connectionId} ${id}` };
}

/** True if a payment says who paid. */
export function identifiesPayer({ payer: { ids, externalId, email } }: PaymentSeen): boolean {
  return ids.length > 0 || externalId !== null || email !== null;
}

type MoneyBack = Pick<PaymentSeen, 'refunds' | 'disputes'>;

/** Returns how much of a payment was returned in total (docs/rules/ledger.md#refunds). A lost dispute is a refund. */
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
