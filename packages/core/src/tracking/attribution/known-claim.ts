import type { Referral } from '../../program/referrals/referral.entity.ts';
import type { Claim } from './decide.ts';

/** Begins the source of a claim by a referral that was named, and of one that another referral continued at once. */
export const NAMED = 'referral ';
export const CONTINUED = 'continues ';

/** A claim with the records behind it. */
export interface KnownClaim extends Claim {
  /** Null until a referral is needed, on a code and on a claim that continues the referral of another customer. */
  referral_id: string | null;
  continues: ContinuedReferral | null;
  /** The referral that was named, which another one may continue; null on a code. */
  named_id: string | null;
  campaign_id: string;
  code: string | null;
  psp_promotion_code_id: string | null;
  sale_id: string | null;
  /** A code of the provider's test mode, which counts for live sales only when the merchant reports it with one. */
  isTest: boolean;
}

/** A referral that another customer has. A new one continues it for the customer of the claim. */
export type ContinuedReferral = Pick<Referral, 'id' | 'link_id' | 'expires_at' | 'deactivated_at'>;
