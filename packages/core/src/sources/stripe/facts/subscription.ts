import { z } from 'zod';
import type { CustomerReferred, IgnoredEvent, ProviderTrial } from '../values/provider-event.ts';
import { name, optionalTimestamp, text, paymentReference } from '../values/provider-object.ts';
import { merchantMetadata } from './merchant-metadata.ts';
import { discounts, readDiscounts, readRedemptions, singleDiscount } from './promotion-codes-of.ts';

/** `discount` is the predecessor of `discounts`. */
const subscriptionObject = z.object({
  id: name,
  customer: z.union([name, z.object({ id: name }).transform(({ id }) => id)]),
  status: text.catch(null),
  trial_end: optionalTimestamp.catch(null),
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
  const trial = trialOf(subscription);
  const isNewId = metadata.externalId !== null && (changed == null || 'metadata' in changed);
  if (metadata.referral === null && known && redemptions.length === 0 && trial === null && !isNewId) return { kind: 'ignored' };
  return {
    kind: 'customer_referred',
    payment: paymentReference({}),
    customer: { customerId: customer, externalId: metadata.externalId, email: null, name: null },
    namedReferral: metadata.referral,
    redemptions,
    trial,
    subscriptionId: known ? null : id,
    referredAt: null,
  };
});

/** Returns the trial of a subscription, or null if there is none and the event does not report that one ended. */
function trialOf({
  id,
  status,
  trial_end,
  previous_attributes: changed,
}: z.output<typeof subscriptionObject>): ProviderTrial | null {
  if (status === 'trialing') return { subscriptionId: id, until: trial_end };
  const hasEnded = changed != null && (changed['status'] === 'trialing' || 'trial_end' in changed);
  return hasEnded ? { subscriptionId: id, until: null } : null;
}

/** The redemptions of a requested subscription, whose discounts were expanded. */
export const redemptionsOfSubscription = subscriptionObject.transform((subscription) => readRedemptions(subscription.discounts));
