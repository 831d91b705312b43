import { z } from 'zod';
import type { IsExcluded, NamedReferral } from '../../port/provider-event.ts';
import { trimmedText } from '../values/provider-object.ts';

interface MerchantMetadata {
  referral: NamedReferral;
  isExcluded: IsExcluded;
}

/** The entries of an object's `metadata` that this service knows. Merchants may use the same keys for something else. */
export const merchantMetadata = z
  .object({ referral: trimmedText.catch(null), affiliate: trimmedText.catch(null) })
  .nullish()
  .catch(null)
  .transform((metadata): MerchantMetadata => ({
    referral: metadata?.referral ?? null,
    isExcluded: metadata?.affiliate?.toLowerCase() === 'false',
  }));
