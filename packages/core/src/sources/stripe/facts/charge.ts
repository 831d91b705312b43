import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type {
  ChargeRefunded,
  ChargeSucceeded,
  IgnoredEvent,
  ReleasedAmount,
  ProviderRefund,
  RefundUpdated,
  DisputeChanged,
  PaymentExcluded,
} from '../values/provider-event.ts';
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
  paymentReference,
} from '../values/provider-object.ts';
import { changedMetadata, excludes, merchantMetadata } from './merchant-metadata.ts';

const refundObject = z.object({
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
function normalizeRefund(refund: z.output<typeof refundObject>): ProviderRefund {
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

/** `charge.updated`. The amounts of a charge have events of their own, so only an exclusion matters here. */
export const chargeUpdatedFact = z
  .object({ id: name, payment_intent: reference, invoice: nullableReference, ...changedMetadata })
  .transform((charge): PaymentExcluded | IgnoredEvent => {
    if (!excludes(charge)) return { kind: 'ignored' };
    const payment = paymentReference({
      chargeId: charge.id,
      paymentIntentId: charge.payment_intent,
      invoiceId: charge.invoice ?? null,
    });
    return { kind: 'payment_excluded', payment };
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

/** Statuses of a dispute that has ended without taking money from the merchant. */
const ENDED: readonly string[] = ['won', 'warning_closed', 'prevented'];

/** `charge.dispute.*`. Every event contains the dispute with its status at that moment. An inquiry (`warning_*`) counts as a dispute. */
export const disputeFact = z
  .object({ id: name, amount, currency, charge: reference, payment_intent: reference, status: z.string() })
  .transform((dispute): DisputeChanged => ({
    kind: 'dispute_changed',
    payment: paymentReference({ chargeId: dispute.charge, paymentIntentId: dispute.payment_intent }),
    disputeId: dispute.id,
    amount: toMinorUnit(dispute.amount, dispute.currency),
    currency: dispute.currency,
    outcome: dispute.status === 'lost' ? 'lost' : ENDED.includes(dispute.status) ? 'won' : 'open',
  }));
