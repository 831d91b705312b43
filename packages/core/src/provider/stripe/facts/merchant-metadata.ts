import { z } from 'zod';
import type { NamedReferral } from '../../port/provider-event.ts';
import { trimmedText } from '../values/provider-object.ts';

/** The entries of an object's `metadata` that this service knows. Merchants may use the same keys for something else. */
export const merchantMetadata = z
  .object({ referral: trimmedText.catch(null) })
  .nullish()
  .catch(null)
  .transform((metadata) => ({ referral: (metadata?.referral ?? null) satisfies NamedReferral }));
