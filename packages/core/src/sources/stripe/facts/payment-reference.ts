import type { PaymentReference } from '../values/provider-event.ts';

export function paymentReference(known: Partial<PaymentReference>): PaymentReference {
  return {
    chargeId: known.chargeId ?? null,
    paymentIntentId: known.paymentIntentId ?? null,
    invoiceId: known.invoiceId ?? null,
  };
}
