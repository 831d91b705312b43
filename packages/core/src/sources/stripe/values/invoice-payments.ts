import type { InvoicePayment } from './provider-event.ts';

/** Returns the part of an invoice's paid amount that the listed payments do not make up. */
export function unlistedAmount(amountPaid: number, listed: readonly InvoicePayment[]): number {
  return Math.max(0, amountPaid - listed.reduce((sum, { amount }) => sum + amount, 0));
}

/**
 * Returns the payments of an invoice of which `amountPaid` was paid. Payments outside the provider have no id, so they count as one payment,
 * together with the amount that the provider does not list.
 */
export function paymentsOf(amountPaid: number, listed: readonly InvoicePayment[]): InvoicePayment[] {
  const isOutside = ({ chargeId, paymentIntentId }: InvoicePayment) => chargeId === null && paymentIntentId === null;
  const inside = listed.filter((payment) => !isOutside(payment));
  const outside = unlistedAmount(amountPaid, listed) + listed.filter(isOutside).reduce((sum, { amount }) => sum + amount, 0);
  return outside === 0 ? inside : [...inside, { chargeId: null, paymentIntentId: null, amount: outside }];
}
