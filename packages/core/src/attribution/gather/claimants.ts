/** Locks and loads the affiliates who may earn, with the campaigns and referrals of their claims. */
import { type RawBuilder, sql } from 'kysely';
import type { AttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { type HeldAffiliates, lockAffiliates } from '../../ledger/affiliate-lock.ts';
import type { Sale } from '../../ledger/sales/sale.entity.ts';
import { takeTime } from '../../platform/call/call-time.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { held } from '../../platform/call/locks.ts';
import { selected } from '../../platform/call/records.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { emailsIn, openAddresses, type SealedAddresses, sealedAddresses } from '../../program/payout-methods/payout-addresses.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { REVISION_OF_RULES } from '../../rewards/rules/rule-versions.ts';
import { REFERRAL, REFERRED_ID } from '../claims/referred.ts';
import type { AffiliateVersion, Former, Versions } from '../decide/eligibility.ts';
import type { AffiliateFact, CampaignFact, Inactive, ShadowVersion, TermsVersion } from '../decide/facts.ts';

/** The referrals and the code that were named for a sale whose customer is unknown. */
export interface Clues {
  /** The referrals that were named for the sale. */
  referrals: readonly Referral[];
  /** The code that was redeemed with the sale. */
  promo: AttributingCode | null;
}

export type Reader = Pick<WriteCtx, 'db' | 'accountId' | 'now' | 'records' | 'services'>;

const [AFFILIATE, CAMPAIGN] = [selected(Affiliate), selected(Campaign)];

/**
 * The payout addresses of a claim's affiliate, the former versions of its affiliate, campaign and referral, and the revision of the campaign's reward rules. Null if there are none, which is
 * the common case.
 */
export interface HistoryRow {
  sealed_addresses: SealedAddresses;
  former_states: Former<AffiliateVersion>[] | null;
  former_terms: Former<TermsVersion>[] | null;
  former_deactivations: Inactive | null;
  rules_revision: string | null;
  shadow: Versions<ShadowVersion>;
}

/**
 * SQL: the columns of a claimant, for a statement that joins `claimingReferral`, `claimingAffiliate` and `claimingCampaign`. A record without changes has no
 * former versions, and the columns `*_changed_at` and `reactivated_at` say so without a look-up.
 */
export const CLAIMANT: RawBuilder<unknown> = sql`
  referral.referral, referral.former_deactivations, affiliate.affiliate, affiliate.sealed_addresses, affiliate.former_states, campaign.campaign, campaign.former_terms, campaign.rules_revision,
  campaign.shadow`;

/** SQL: the referral of a claimant, to join. Like the other two, it is looked up alone, so that joins pass on one value instead of all its columns. */
export function claimingReferral(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (
    select id, customer_id, affiliate_id, campaign_id, converted_at, converted_by_hand, ${sql.raw(REFERRAL.ofRow)},
      case when reactivated_at is not null then former_deactivations(id) end as former_deactivations
    from referral where ${condition} offset 0
  ) referral`;
}

/** SQL: the affiliate of a claimant, to join. */
export function claimingAffiliate(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (
    select ${sql.raw(AFFILIATE.ofRow)}, ${sql.raw(sealedAddresses('affiliate'))} as sealed_addresses, case when state_changed_at is not null then former_states(id) end as former_states
    from affiliate where id = ${id} offset 0
  ) affiliate`;
}

/** SQL: the campaign of a claimant, to join. */
export function claimingCampaign(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (
    select ${sql.raw(CAMPAIGN.ofRow)}, case when terms_changed_at is not null then former_terms(id) end as former_terms,
      ${REVISION_OF_RULES} as rules_revision,
      (select json_build_object('current', json_build_object('is_shadow', shadow = 'on'), 'former', former_shadows) from account
       where account.id = campaign.account_id) as shadow
    from campaign where id = ${id} offset 0
  ) campaign`;
}

/** A row with the columns of `CLAIMANT`. */
export type ClaimantRow = HistoryRow & Record<string, unknown>;

/** The affiliates who may earn, with the campaigns and referrals of their claims. */
export interface Claimants {
  held: HeldAffiliates;
  affiliates: Map<string, AffiliateFact>;
  campaigns: Map<string, CampaignFact>;
  /** The former deactivations of referrals, by the id of the referral. */
  inactive: Map<string, Inactive>;
}

export type ClaimantFacts = Omit<Claimants, 'held'>;

export function newClaimants(): ClaimantFacts {
  return { affiliates: new Map(), campaigns: new Map(), inactive: new Map() };
}

/** Reads the columns of `CLAIMANT`. Returns the referral of the claimant, or null. */
export function readClaimant(
  reader: Pick<Reader, 'records' | 'services'>,
  row: ClaimantRow,
  { affiliates, campaigns, inactive }: ClaimantFacts,
): Referral | null {
  const referral = REFERRAL.read(reader, row);
  const affiliate = AFFILIATE.read(reader, row)!;
  const campaign = CAMPAIGN.read(reader, row)!;
  affiliates.set(affiliate.id, affiliateFact(reader, affiliate, row));
  campaigns.set(campaign.id, campaignFact(campaign, row));
  if (referral !== null) inactive.set(referral.id, row.former_deactivations ?? []);
  return referral;
}

function affiliateFact(
  { services }: Pick<Reader, 'services'>,
  { id, email, state, archived_at }: Affiliate,
  { sealed_addresses, former_states }: HistoryRow,
): AffiliateFact {
  return {
    id,
    emails: [email, ...emailsIn(openAddresses(services.secrets, sealed_addresses))],
    versions: { current: { state, archived: archived_at !== null }, former: former_states ?? [] },
  };
}

function campaignFact(campaign: Campaign, { former_terms, rules_revision, shadow }: HistoryRow): CampaignFact {
  const { id, rewarded_since, archived_at } = campaign;
  return {
    id,
    rewarded_since,
    rules_revision,
    shadow,
    versions: { current: { ...campaign, archived: archived_at !== null }, former: former_terms ?? [] },
  };
}

/**
 * Locks the affiliates who may earn from a sale without a customer, and loads them under the locks. A new sale is created under these locks: sales of
 * one referral get their time and id under them, so that a later sale never takes away a commission that an earlier response has reported.
 *
 * @param sale the sale if it was recorded earlier, whose affiliate may lose it
 */
export async function lockClaimants(ctx: WriteCtx, clues: Clues, sale: Sale | null = null): Promise<Claimants> {
  const earners = earnersOf(clues);
  const ids = sql`select unnest(${earners.affiliates}::text[])
    union select affiliate_id from sale where id = ${sale?.id} and affiliate_id is not null`;
  // PostgreSQL executes the second statement after the first, so it reads under the locks.
  const [locked, rows] = await Promise.all([
    lockAffiliates(ctx, sale === null ? earners.affiliates : ids),
    earners.affiliates.length === 0 ? [] : findClaimants(ctx.db, earners),
  ]);
  return { ...claimantsIn(ctx, rows), held: locked };
}

/** The ids of the referrals, affiliates and campaigns that may earn from a sale without a customer. */
interface Earners {
  referrals: readonly (string | null)[];
  affiliates: readonly string[];
  campaigns: readonly string[];
}

export function earnersOf({ referrals, promo }: Clues): Earners {
  const earners = [
    ...referrals.map(({ id, affiliate_id, campaign_id }) => ({ id, affiliate_id, campaign_id })),
    ...(promo ? [{ id: null, affiliate_id: promo.affiliate_id, campaign_id: promo.campaign_id }] : []),
  ];
  return {
    referrals: earners.map(({ id }) => id),
    affiliates: earners.map(({ affiliate_id }) => affiliate_id),
    campaigns: earners.map(({ campaign_id }) => campaign_id),
  };
}

export function claimantsIn(reader: Pick<Reader, 'records' | 'services'>, rows: readonly ClaimantRow[]): ClaimantFacts {
  const claimants = newClaimants();
  for (const row of rows) readClaimant(reader, row, claimants);
  return claimants;
}

export const findClaimants = prepared(
  (_db, given: Earners) => sql<ClaimantRow>`
    select ${CLAIMANT}
    from unnest(${given.referrals}::text[], ${given.affiliates}::text[], ${given.campaigns}::text[])
      claimant (referral_id, affiliate_id, campaign_id)
    cross join ${claimingAffiliate(sql`claimant.affiliate_id`)}
    cross join ${claimingCampaign(sql`claimant.campaign_id`)}
    left join ${claimingReferral(sql`id = claimant.referral_id`)} on true`,
);

/**
 * Locks the affiliate of a referral without a customer. If the referral has a customer, locks nothing, because the customer must be locked
 * first. If the referral gets a customer at this very moment, the locks are taken in the wrong order. At worst this causes a deadlock, and
 * the transaction is repeated.
 */
export async function lockClaimantOf(ctx: WriteCtx, referralId: string): Promise<HeldAffiliates> {
  const locked = await lockAffiliateOfReferral(ctx.db, { referralId, accountId: ctx.accountId });
  if (locked.length > 0) ctx.locks.note('affiliate');
  takeTime(ctx);
  return held(
    ctx,
    'affiliate',
    locked.map(({ id }) => id),
  );
}

const lockAffiliateOfReferral = prepared(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql<{ id: string }>`
    select id from affiliate
    where id = (select affiliate_id from referral where id = ${referralId} and account_id = ${accountId} and ${REFERRED_ID} is null)
    for no key update`,
);

/** Returns the claimant in a row with the columns of `CLAIMANT`, which was read under the lock on the affiliate. */
export function claimantIn(ctx: WriteCtx, row: ClaimantRow, locked: HeldAffiliates): Claimants {
  return { ...claimantsIn(ctx, [row]), held: locked };
}
