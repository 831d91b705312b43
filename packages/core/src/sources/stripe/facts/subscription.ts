import { z } from 'zod';
import type { CustomerReferred, IgnoredEvent } from '../../port/provider-event.ts';
import { name } from '../values/provider-object.ts';
import { merchantMetadata } from './merchant-metadata.ts';
import { paymentReference } from './payment-reference.ts';
import { discounts, readDiscounts, readRedemptions, singleDiscount } from './promotion-codes-of.ts';

/** `discount` is the predecessor of `discounts`. */
const subscriptionObject = z.object({
  id: name,
  customer: z.union([name, z.object({ id: name }).transform(({ id }) => id)]),
  metadata: merchantMetadata,
  discounts,
  discount: singleDiscount,
  previous_attributes: z.looseObject({}).nullish().catch(null),
});

/**
 * `customer.subscription.created`, `customer.subscription.updated`. The payments of a subscription come with its invoices, so only a referrer
 * matters here.
 */
export const subscriptionFact = subscriptionObject.transform((subscription): CustomerReferred | IgnoredEvent => {
  const { id, customer, metadata } = subscription;
  const all = [...subscription.discounts, ...subscription.discount];
  // A subscription changes at least with each renewal. Its discounts are requested only when they are new.
  const changed = subscription.previous_attributes;
  const known = readDiscounts(all).known || (changed != null && !('discounts' in changed) && !('discount' in changed));
  const redemptions = readRedemptions(all);
  if (metadata.referral === null && known && redemptions.length === 0) return { kind: 'ignored' };
  return {
    kind: 'customer_referred',
    payment: paymentReference({}),
    customer: { customerId: customer, email: null, name: null },
    namedReferral: metadata.referral,
    redemptions,
    subscriptionId: known ? null : id,
    referredAt: null,
  };
});

/** The redemptions of a requested subscription, whose discounts were expanded. */
export const redemptionsOfSubscription = subscriptionObject.transform((subscription) => readRedemptions(subscription.discounts));
