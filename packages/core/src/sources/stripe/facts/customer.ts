import { z } from 'zod';
import type { CustomerChanged } from '../values/provider-event.ts';
import { text, email, name } from '../values/provider-object.ts';
import { changesExclusion, merchantMetadata } from './merchant-metadata.ts';
import { readRedemptions, singleDiscount } from './promotion-codes-of.ts';

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
