import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { ProviderRefund, RefundUpdated } from '../values/provider-event.ts';
import { amount, currency, reference, text, name } from '../values/provider-object.ts';
import { paymentReference } from './payment-reference.ts';

export const refundObject = z.object({
  id: name,
  amount,
  currency,
  charge: reference,
  payment_intent: reference,
  status: text,
});

/**
 * Converts a refund. A refund is effective once it is created, even before the customer's bank receives it. Only a failure or a
 * cancellation undoes it.
 */
export function normalizeRefund(refund: z.output<typeof refundObject>): ProviderRefund {
  return {
    refundId: refund.id,
    amount: toMinorUnit(refund.amount, refund.currency),
    effective: refund.status !== 'failed' && refund.status !== 'canceled',
  };
}

/** `refund.created`, `refund.updated`, `refund.failed`, `charge.refund.updated` */
export const refundFact = refundObject.transform((refund): RefundUpdated => ({
  kind: 'refund_updated',
  payment: paymentReference({ chargeId: refund.charge, paymentIntentId: refund.payment_intent }),
  refund: normalizeRefund(refund),
  currency: refund.currency,
}));
