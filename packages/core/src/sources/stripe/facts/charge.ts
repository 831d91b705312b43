import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { ChargeRefunded, ChargeSucceeded, IgnoredEvent, ReleasedAmount } from '../values/provider-event.ts';
import {
  amount,
  currency,
  optionalAmount,
  reference,
  text,
  timestamp,
  nullableReference,
  email,
  name,
} from '../values/provider-object.ts';
import { merchantMetadata } from './merchant-metadata.ts';
import { paymentReference } from './payment-reference.ts';
import { normalizeRefund, refundObject } from './refund.ts';

/** The object of a charge. It contains `invoice` before API version 2025-03-31 only. */
const chargeObject = z.object({
  id: name,
  amount,
  amount_captured: optionalAmount,
  amount_refunded: amount.default(0),
  captured: z.boolean().default(true),
  created: timestamp,
  currency,
  customer: reference,
  billing_details: z.object({ email: email, name: text }).nullish(),
  receipt_email: email,
  description: text,
  payment_intent: reference,
  invoice: nullableReference,
  metadata: merchantMetadata,
  refunds: z.object({ data: z.array(refundObject) }).nullish(),
});

/** `charge.succeeded`, `charge.captured` */
export const chargeFact = chargeObject.transform((charge): ChargeSucceeded | IgnoredEvent => {
  // An authorization moves no money until it is captured, which another event reports.
  if (!charge.captured) return { kind: 'ignored' };
  return {
    kind: 'charge_succeeded',
    payment: paymentReference({
      chargeId: charge.id,
      paymentIntentId: charge.payment_intent,
      invoiceId: charge.invoice ?? null,
    }),
    invoiceKnown: charge.invoice !== undefined,
    customer: {
      customerId: charge.customer,
      externalId: charge.metadata.externalId,
      email: charge.billing_details?.email ?? charge.receipt_email,
      name: charge.billing_details?.name ?? null,
    },
    amount: toMinorUnit(charge.amount_captured ?? charge.amount, charge.currency),
    released: releasedOf(charge),
    currency: charge.currency,
    description: charge.description,
    namedReferral: charge.metadata.referral,
    isExcluded: charge.metadata.isExcluded,
    createdAt: charge.created,
  };
});

/** `charge.refunded` */
export const chargeRefundedFact = chargeObject.transform((charge): ChargeRefunded => ({
  kind: 'charge_refunded',
  payment: paymentReference({ chargeId: charge.id, paymentIntentId: charge.payment_intent }),
  amountRefunded: toMinorUnit(charge.amount_refunded, charge.currency),
  released: releasedOf(charge),
  currency: charge.currency,
  refunds: (charge.refunds?.data ?? []).map(normalizeRefund),
}));

function releasedOf({
  amount: authorized,
  amount_captured,
  captured,
  currency: code,
}: z.output<typeof chargeObject>): ReleasedAmount {
  if (!captured || amount_captured === null) return null;
  return toMinorUnit(Math.max(0, authorized - amount_captured), code);
}
