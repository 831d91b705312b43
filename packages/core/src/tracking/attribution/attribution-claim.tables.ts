import type { Instant } from '../../platform/time/instant.ts';

/** A fact that ties a customer to an affiliate (docs/domain-rules.md#attribution). Written once, never changed but for its referral. */
export interface AttributionClaimTable {
  id: string;
  account_id: string;
  customer_id: string;
  kind: 'link' | 'code';
  /** Null on a code until its affiliate earns from it, which starts the referral. */
  referral_id: string | null;
  affiliate_id: string;
  campaign_id: string;
  /** The text of the code, and its id at the provider; null on a link. */
  code: string | null;
  psp_promotion_code_id: string | null;
  /** The sale that a code was redeemed with; null for a checkout. */
  sale_id: string | null;
  /** Time of the visit or the redemption. Earlier charges earn nothing. */
  claimed_from: Instant;
  /** Identifies the fact, so that reporting it again adds no second claim. */
  source: string;
  /** The choices of campaign and account when the claim was made; null on a claim from before they were kept. */
  last_click: boolean | null;
  before_link: boolean | null;
  created_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    attribution_claim: AttributionClaimTable;
  }
}
