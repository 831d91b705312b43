import type { Claim } from './decide.ts';

/**
 * Prefixes of a claim's `source`, each followed by the id of the referral that was named. With `NAMED`, the claim has this referral itself.
 * With `CONTINUED`, the claim has a new referral that continues the named referral.
 */
export const NAMED = 'referral ';
export const CONTINUED = 'continues ';

/** A claim with the ids and values of the records that it was read from. */
export interface KnownClaim extends Claim {
  /** Null while the claim has no referral yet. A claim by code gets its referral when a sale or the binding of the customer needs one. */
  referral_id: string | null;
  /** Id of the referral that was named, even if a new referral continues it; null for a code. */
  named_id: string | null;
  code: string | null;
  psp_promotion_code_id: string | null;
  sale_id: string | null;
  /** True for a code of the provider's test mode. It counts for live sales only if the merchant reported it with a live sale. */
  isTest: boolean;
  /** False if only a public lead made the claim (docs/rules/intake.md#leads). */
  isProven: boolean;
}
