import type { ColumnType } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';

/** A fact that ties a customer to an affiliate (docs/rules/attribution.md#attribution). After the claim is stored, only its referral may change, its times may change, it may become proven, and more may have named it. */
export interface AttributionClaimTable {
  id: string;
  account_id: string;
  customer_id: string;
  kind: 'link' | 'code';
  /** Null for a code until a sale or the binding of the customer needs a referral, which is then started. */
  referral_id: string | null;
  affiliate_id: string;
  campaign_id: string;
  /** The text of the code and its id at the provider; null for a link. */
  code: string | null;
  psp_promotion_code_id: string | null;
  /** The sale with which a code was redeemed; null for a code from a checkout that charged nothing, and for a link. */
  sale_id: string | null;
  /** Time of the visit or the redemption. The claim earns nothing from earlier charges. */
  claimed_from: Instant;
  /** Time at which the claim was made, e.g. by opening a checkout. The claim does not change who earned from earlier charges. */
  made_at: Instant;
  /** Identifies the fact, so that reporting it again adds no second claim. */
  source: string;
  /** False if only a public lead made the claim. What the claim earns is then flagged (docs/rules/intake.md#leads). */
  proven: boolean;
  /**
   * The ids (`keyOf`) of the customer in the facts that made the claim, and `MERCHANT` if the merchant made it. Without any of them, only an email
   * address that somebody typed connects the claim with the customer.
   */
  named_by: string[];
  /** Time of the earliest public lead that named the referral, or null. `claimed_from` and `made_at` of a proven claim are those of the proof. */
  lead_at: Instant | null;
  /** True if the public lead was one of many from one network (docs/rules/intake.md#many-leads-from-one-network). */
  crowded: ColumnType<boolean, boolean | undefined>;
  created_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    attribution_claim: AttributionClaimTable;
    lead_network: LeadNetworkTable;
  }
}

/** The network from which a public lead came that made a claim on a referral. */
interface LeadNetworkTable {
  referral_id: string;
  account_id: string;
  /** Hash of the network and the account, with a secret key. */
  network: string;
  /** True if the lead was one of many. */
  crowded: boolean;
  /** True if the claim and its commissions are flagged. */
  flagged: boolean;
  reported_at: Instant;
  expires_at: Instant;
}
