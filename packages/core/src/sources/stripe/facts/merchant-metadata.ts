import { z } from 'zod';
import type { IsExcluded, NamedReferral } from '../values/provider-event.ts';
import { identifier, trimmedText } from '../values/provider-object.ts';

/** The key of the merchant's own id of the customer, unless the merchant has chosen another key. */
export const CUSTOMER_ID_KEY = 'customer_id';

/**
 * Keys that exclude a payment if their value is `false`: the key of this service, and those of other affiliate tools, which merchants have set
 * already.
 */
const EXCLUDING_KEYS = ['affiliate', 'rewardful', 'referralstack'] as const;

interface MerchantMetadata {
  referral: NamedReferral;
  externalId: string | null;
  isExcluded: IsExcluded;
}

const value = trimmedText.catch(null);

/** The entries of an object's `metadata` that this service knows. Merchants may use the same keys for something else. */
export const merchantMetadata = z
  .object({
    referral: value,
    [CUSTOMER_ID_KEY]: identifier.catch(null),
    affiliate: value,
    rewardful: value,
    referralstack: value,
  })
  .nullish()
  .catch(null)
  .transform((metadata): MerchantMetadata => ({
    referral: metadata?.referral ?? null,
    externalId: metadata?.[CUSTOMER_ID_KEY] ?? null,
    isExcluded: EXCLUDING_KEYS.some((key) => metadata?.[key]?.toLowerCase() === 'false'),
  }));

/**
 * True if an update of an object changed whether its metadata exclude payments. `former` has the former values of the changed keys. Another value
 * than `false`, e.g. the id of an affiliate that this service wrote, excludes nothing.
 */
export function changesExclusion(former: Readonly<Record<string, unknown>>, isExcluded: IsExcluded): boolean {
  const changed = EXCLUDING_KEYS.filter((key) => key in former);
  return changed.length > 0 && (isExcluded || changed.some((key) => String(former[key]).trim().toLowerCase() === 'false'));
}

/** Fields of an object of which only changed metadata matter. */
export const changedMetadata = {
  metadata: merchantMetadata,
  previous_attributes: z.looseObject({}).nullish().catch(null),
};

/** True if an update says that nobody earns from the payment. Other changes of an excluded object say nothing new. */
export function excludes({
  metadata,
  previous_attributes: changed,
}: {
  metadata: MerchantMetadata;
  previous_attributes?: Readonly<Record<string, unknown>> | null | undefined;
}): boolean {
  return metadata.isExcluded && (changed == null || 'metadata' in changed);
}
