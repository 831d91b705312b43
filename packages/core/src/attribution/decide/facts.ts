/**
 * The facts that a decision depends on, as plain values. `gather` reads them, `decide` is a function of them, and `apply` writes what they lack.
 */
import { sql } from 'kysely';
import { type Commission, type ContestedReward, isUnpaid } from '../../ledger/commissions/commission.entity.ts';
import type { KeptLine } from '../../ledger/earning/worth.ts';
import { isExcluded, type Sale } from '../../ledger/sales/sale.entity.ts';
import { compare } from '../../platform/order/compare.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { CampaignRules, CampaignTerms } from '../../program/campaigns/campaign.service.ts';
import type { Join } from '../../program/customer-identities/customer-identity.ts';
import { type Exclusion, isExcludedAt } from '../../program/customers/customer.entity.ts';
import type { RuleVersion } from '../../rewards/rules/rule-versions.ts';
import type { Checkpoint, Claim } from './earners.ts';
import { type AffiliateVersion, type CampaignVersion, type Former, versionAt, type Versions } from './eligibility.ts';

export interface Facts {
  /** Time for which the binding of the customer is decided. */
  now: Instant;
  /** Null if the customer of the sales is unknown. */
  customer: CustomerFact | null;
  claims: readonly ClaimFact[];
  sales: readonly SaleFact[];
  /** The affiliates and campaigns of the claims, by id. */
  affiliates: ReadonlyMap<string, AffiliateFact>;
  campaigns: ReadonlyMap<string, CampaignFact>;
  /** The result of the customer's sales that were charged before `sales`, if these are not all sales of the customer. */
  before: Checkpoint;
  /** True if unpaid rewards for leads are decided again, because the lead came earlier than was known or tiers turned out to be others. */
  reopensLeads: boolean;
  /** Facts for reward rules. Null if no rule is involved. */
  rewards: RewardFacts | null;
}

export interface RewardFacts {
  /** The versions of the rules of each campaign. The newest version of each rule comes first. */
  rules: ReadonlyMap<string, readonly RuleVersion[]>;
  /** The lines of sales, by the id of the sale. */
  lines: ReadonlyMap<string, readonly KeptLine[]>;
  /** Amounts that each rule gives to the current commissions of the sales, by the id of the commission. */
  own: ReadonlyMap<string, readonly PaidByLines[]>;
  /** Amounts that rules pay on top of the commissions of the sales, by the id of the sale. Superseded ones are left out. */
  bonuses: ReadonlyMap<string, readonly PaidOnTop[]>;
  /** Ids of the tiers that affiliates have, by affiliate, campaign, mode and time (`tierKey`). */
  tiers: ReadonlyMap<string, readonly string[]>;
  /** Rewards for leads, by the id of the referral. Superseded ones are left out. */
  leads: ReadonlyMap<string, LeadFact>;
  /** By the id of the referral. Empty if no rule depends on them. */
  referrers: ReadonlyMap<string, ReferrerFact>;
  /**
   * The first other sales of each referral, as many as rules tell apart, and of the customer. Sales of zero and excluded sales are left out.
   * Empty if no rule depends on them.
   */
  history: readonly CountedSale[];
  /** The ids of the sales in the order in which they use up caps. */
  inOrderOfCaps: readonly string[];
  /** Amounts that rules with a cap have paid for other sales. */
  paid: readonly PaidByRule[];
}

/** The amount that a rule gives to a commission, and the most that it could have given. `rule_id` is null for the base reward. */
export interface PaidByLines {
  rule_id: string | null;
  cents: number;
  at_most_cents: number | null;
}

/** Names an affiliate’s tiers in a campaign and a mode at a time. */
export function tierKey(affiliateId: string, campaignId: string, livemode: boolean, at: Instant): string {
  return `${affiliateId} ${campaignId} ${livemode} ${at}`;
}

/** The reward that a referral’s lead has earned. */
export type LeadFact = Pick<
  Commission,
  | 'id'
  | 'state'
  | 'review_status'
  | 'review_reason'
  | 'due_at'
  | 'due_by_hand'
  | 'rule_id'
  | 'amount_cents'
  | 'currency'
  | 'contested'
> & { is_claimed: boolean };

export interface PaidOnTop {
  /** Id of the bonus. */
  id: string;
  contested: ContestedReward | null;
  rule_id: string;
  affiliate_id: string;
  referral_id: string;
  currency: string;
  is_live: boolean;
  is_paid: boolean;
  cents: number;
  at_most_cents: number | null;
}

export interface ReferrerFact {
  link_id: string | null;
  country: string | null;
}

export interface CountedSale {
  id: string;
  /** Orders charges of the same time (`chargeKey`). */
  key: string;
  referral_id: string | null;
  customer_id: string | null;
  charged_at: Instant;
  is_live: boolean;
}

export interface PaidByRule {
  rule_id: string;
  affiliate_id: string;
  /** Null stands for all referrals that no claim has. */
  referral_id: string | null;
  /** True if the sale is of the customer of the decision, by whichever referral, or of a referral of their claims. */
  is_of_person: boolean;
  currency: string;
  is_live: boolean;
  /** Start of the month of the charges. */
  month: Instant;
  /** Number of sales of the decision that use up caps before these. */
  place: number;
  cents: number;
}

export interface CustomerFact {
  id: string;
  emails: readonly string[];
  /** True if no source has vouched for one of the addresses: somebody typed it. */
  hasUnverifiedEmail: boolean;
  exclusions: readonly Exclusion[];
  /** The identities and claims of the customer that facts showed to be of one person, each from a time on. */
  joins: readonly Join[];
  /** Id of the referral to which the customer is bound now, or null. */
  boundReferralId: string | null;
}

/** A claim with the ids and values of the records that it was read from. */
export interface ClaimFact extends Omit<Claim, 'eligibility' | 'names'> {
  /** `source` of the row of the claim; null if the claim is not stored, because the customer is unknown. */
  source: string | null;
  /** Null while the claim has no referral yet. A claim by code gets its referral when a sale or the binding of the customer needs one. */
  referral_id: string | null;
  /** Id of the referral that was named, even if a new referral continues it; null for a code. */
  named_id: string | null;
  code: string | null;
  psp_promotion_code_id: string | null;
  sale_id: string | null;
  /** True for a code of the provider's test mode. It counts for live sales only if the merchant reported it with a live sale. */
  isTest: boolean;
  /** The ids of the customer in the facts that made the claim, and `MERCHANT` if the merchant made it. */
  namedBy: readonly string[];
  /** True if a public lead, one of many from one network, named the referral. */
  isCrowded: boolean;
  /** Ids of the referrals that assignments have started and for which this one stands (`withOwnReferrals`). */
  standsFor: readonly string[];
}

/** The name of the merchant in `named_by` of a claim. The merchant knows its customers. */
export const MERCHANT = 'merchant';

/** True if the lead of a claim was one of many from one network, and the merchant has not named the referral. */
export function isFromCrowd({ isCrowded, namedBy }: Pick<ClaimFact, 'isCrowded' | 'namedBy'>): boolean {
  return isCrowded && !namedBy.includes(MERCHANT);
}

/** The customer of a sale, according to the reports of the sale. */
export interface Payer {
  /** The ids of the customer, as keys (`keyOf`). */
  ids: readonly string[];
  /** The email addresses of the customer, as keys. */
  emails: readonly string[];
  /** The ids of the referrals that the payment itself names. */
  references: readonly string[];
}

export const NOBODY: Payer = { ids: [], emails: [], references: [] };

/**
 * The facts by which terms change before they are paid. `lines`: what was sold has become known; `rewards`: the currency, the code or the metadata of the
 * sale, the tiers of the affiliate, or the earlier sales of the referral or the customer turned out to be others, or a cap turned out to be of more sales.
 */
export type Reopening = 'lines' | 'rewards';

export interface SaleFact {
  sale: Sale;
  payer: Payer;
  /** True if this transaction created the sale, so that it has no commission and nobody has changed it by hand. */
  isCreated: boolean;
  /** The reason for which an unpaid commission is decided again; null if it keeps its terms. */
  reopenedBy: Reopening | null;
  /** True if the sale is only counted towards the limits of its referral, to which it stays attributed. */
  isOnlyCounted: boolean;
  /** The commission that the sale has now, or null. */
  commission: Commission | null;
  /** True if `commission` is in a claimed or paid payout. */
  isClaimed: boolean;
  /** Times at which a person ended the commissions of affiliates from this sale, by the id of the affiliate. */
  endedByHand: ReadonlyMap<string, Instant>;
}

/** True if the unpaid commission of a sale is decided again. */
export function mayBeRevised(fact: SaleFact): boolean {
  return fact.reopenedBy !== null && fact.commission !== null && !isSettled(fact);
}

/** True if facts do not revise the commission of a sale, because it is claimed, paid or voided. */
export function isSettled({ commission, isClaimed }: Pick<SaleFact, 'commission' | 'isClaimed'>): boolean {
  return commission !== null && (isClaimed || !isUnpaid(commission));
}

/** Compares sales by the order in which they use up caps: what is settled first, then by their charges (docs/rules/rewards.md#amounts). */
export function byOrderOfCaps(one: SaleFact, other: SaleFact): number {
  return Number(!isSettled(one)) - Number(!isSettled(other)) || byCharge(one.sale, other.sale);
}

/** Returns the time of a charge and, if it was corrected since the sale was decided, the former time. */
export function timesOf({ sale }: SaleFact): Instant[] {
  return sale.redated_from === null ? [sale.charged_at] : [sale.charged_at, sale.redated_from];
}

export interface AffiliateFact {
  id: string;
  /** All email addresses of the affiliate, including those for payouts. */
  emails: readonly string[];
  versions: Versions<AffiliateVersion>;
}

/** The terms and rules of a campaign, and whether it was archived. */
export type TermsVersion = CampaignTerms & CampaignRules & CampaignVersion;

export interface CampaignFact {
  id: string;
  /** Time of the first reward rule or tier, or null. */
  rewarded_since: Instant | null;
  /** The revision of the reward rules; null if the campaign never had one. */
  rules_revision: string | null;
  versions: Versions<TermsVersion>;
  /** The times at which the account was a shadow: the former tool decides what sales earn. */
  shadow: Versions<ShadowVersion>;
}

export interface ShadowVersion {
  is_shadow: boolean;
}

/** True if a former tool decides about what happened at a time. */
export function isShadowAt({ shadow }: Pick<CampaignFact, 'shadow'>, at: Instant): boolean {
  return versionAt(shadow, at).is_shadow;
}

/** Times during which a referral was deactivated, before it was activated again. */
export type Inactive = readonly Former<{ from: Instant }>[];

/** True if the metadata of the payment or of its customer say that nobody earns, or the merchant excludes payments outside the provider. */
export function isExcludedCharge(sale: Sale, customer: Pick<CustomerFact, 'exclusions'> | null): boolean {
  return isExcluded(sale) || isExcludedAt(customer?.exclusions ?? [], sale.charged_at);
}

/**
 * Returns a key that identifies a charge and orders charges of the same second (docs/rules/attribution.md#order-of-facts). The order follows the ids of the provider or the merchant, which do
 * not depend on when a report arrives. A sale without provider ids that was charged at the moment of its report is ordered by its own id, so that a
 * later sale of the same millisecond comes after it. Every key ends with the sale's id, because payments of one invoice may have the same provider
 * ids until their charges are known.
 */
export function chargeKey(sale: Sale): string {
  const reported = sale.charged_at === sale.created_at ? '' : (sale.external_id ?? '');
  return `${sale.names[0] ?? sale.name_of_group ?? reported} ${sale.id}`;
}

/** Compares sales by the time of their charge. */
export function byCharge(one: Sale, other: Sale): number {
  return compare(one.charged_at, other.charged_at) || compare(chargeKey(one), chargeKey(other));
}

/** SQL equivalent of `chargeKey` for a row of `sale`. */
export const CHARGE_KEY = sql<string>`((coalesce(sale.names[1], sale.name_of_group,
  case when sale.charged_at = sale.created_at then '' else sale.external_id end, '') || ' ' || sale.id) collate "C")`;
