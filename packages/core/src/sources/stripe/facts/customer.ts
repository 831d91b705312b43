import { z } from 'zod';
import type { CustomerChanged, CustomerReferred, IgnoredEvent, ProviderTrial } from '../values/provider-event.ts';
import { text, email, name, optionalTimestamp, paymentReference, reference, timestamp } from '../values/provider-object.ts';
import { changesExclusion, merchantMetadata } from './merchant-metadata.ts';
import { readRedemptions, singleDiscount, discounts, readDiscounts } from './promotion-codes-of.ts';

/** `customer.created`, `customer.updated`. An update contains the values that were replaced. */
export const customerFact = z
  .object({
    id: name,
    email,
    name: text,
    metadata: merchantMetadata,
    discount: singleDiscount.catch([]),
    previous_attributes: z
      .object({ email, metadata: z.looseObject({}).nullish().catch(null) })
      .nullish()
      .catch(null),
  })
  .transform((customer): CustomerChanged => ({
    kind: 'customer_changed',
    customer: {
      customerId: customer.id,
      externalId: customer.metadata.externalId,
      email: customer.email,
      name: customer.name,
    },
    formerEmail: customer.previous_attributes?.email ?? null,
    namedReferral: customer.metadata.referral,
    redemptions: readRedemptions(customer.discount),
    isExcluded: customer.metadata.isExcluded,
    exclusionChanged: changesExclusion(customer.previous_attributes?.metadata ?? {}, customer.metadata.isExcluded),
  }));

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
