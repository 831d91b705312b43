import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { CheckoutCompleted } from '../values/provider-event.ts';
import {
  optionalAmount,
  optionalCurrency,
  optionalTimestamp,
  reference,
  text,
  email,
  name,
  trimmedText,
  paymentReference,
  shippingCost,
} from '../values/provider-object.ts';
import { checkoutLines } from './lines.ts';
import { merchantMetadata } from './merchant-metadata.ts';
import { discounts, readDiscounts } from './promotion-codes-of.ts';

/** `checkout.session.completed` */
export const checkoutSessionFact = z
  .object({
    id: name.nullish().catch(null),
    client_reference_id: trimmedText,
    created: optionalTimestamp.catch(null),
    customer: reference,
    customer_email: email,
    customer_details: z.object({ email: email, name: text }).nullish(),
    currency: optionalCurrency,
    payment_intent: reference,
    payment_link: reference.catch(null),
    invoice: reference,
    discounts,
    line_items: checkoutLines,
    metadata: merchantMetadata,
    shipping_cost: shippingCost,
    total_details: z.object({ amount_tax: optionalAmount }).nullish(),
  })
  .transform((session): CheckoutCompleted => {
    const tax = session.total_details?.amount_tax ?? null;
    const { currency, shipping_cost: shipping } = session;
    return {
      kind: 'checkout_completed',
      way: session.payment_link === null ? 'checkout' : 'payment_link',
      payment: paymentReference({ paymentIntentId: session.payment_intent, invoiceId: session.invoice }),
      customer: {
        customerId: session.customer,
        externalId: session.metadata.externalId,
        email: session.customer_details?.email ?? session.customer_email,
        name: session.customer_details?.name ?? null,
      },
      clientReferenceId: session.client_reference_id,
      openedAt: session.created,
      namedReferral: session.metadata.referral,
      promotionCodeIds: readDiscounts(session.discounts).promotionCodeIds,
      isExcluded: session.metadata.isExcluded,
      currency,
      taxAmount: tax !== null && currency ? toMinorUnit(tax, currency) : null,
      shipping:
        currency && shipping?.amount_total
          ? { amount: toMinorUnit(shipping.amount_total, currency), tax: toMinorUnit(shipping.amount_tax ?? 0, currency) }
          : null,
      sessionId: session.id ?? null,
      lines: session.line_items?.has_more === false ? session.line_items.data : [],
    };
  });
