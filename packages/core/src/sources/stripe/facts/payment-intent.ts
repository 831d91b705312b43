import { z } from 'zod';
import type { CustomerReferred, IgnoredEvent } from '../values/provider-event.ts';
import { email, name, reference, timestamp, paymentReference } from '../values/provider-object.ts';
import { merchantMetadata } from './merchant-metadata.ts';

/** `payment_intent.succeeded`. The event of its charge reports the payment, so only a referral in the metadata matters here. */
export const paymentIntentFact = z
  .object({
    id: name,
    created: timestamp,
    customer: reference,
    receipt_email: email,
    latest_charge: reference,
    metadata: merchantMetadata,
  })
  .transform((intent): CustomerReferred | IgnoredEvent => {
    if (intent.metadata.referral === null) return { kind: 'ignored' };
    return {
      kind: 'customer_referred',
      payment: paymentReference({ paymentIntentId: intent.id, chargeId: intent.latest_charge }),
      customer: {
        customerId: intent.customer,
        externalId: intent.metadata.externalId,
        email: intent.receipt_email,
        name: null,
      },
      namedReferral: intent.metadata.referral,
      redemptions: [],
      trial: null,
      subscriptionId: null,
      referredAt: intent.created,
    };
  });
