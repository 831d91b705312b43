import { type RawBuilder, sql } from 'kysely';
import { type HeldAffiliates, lockAffiliates } from '../ledger/affiliate-lock.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { held } from '../platform/call/locks.ts';
import { columnsOf } from '../platform/call/records.ts';
import { takeTime } from '../platform/call/take-time.ts';
import { prepared } from '../platform/db/prepared.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../program/campaigns/campaign.entity.ts';
import { REFERRAL, REFERRED_ID } from './referred.ts';

/** An affiliate who may earn, by a referral or by a code that has no referral yet. */
export interface Claimant {
  referral_id: string | null;
  affiliate_id: string;
  campaign_id: string;
}

/**
 * Locks the affiliates who may earn from a new sale without a customer, before the sale is created. Sales of one referral get their time
 * and id under this lock, so that a later sale never takes away a commission that an earlier response has reported.
 */
export function lockClaimants(ctx: WriteCtx, claimants: readonly Claimant[]): Promise<HeldAffiliates> {
  return lockAndLoad(
    ctx,
    claimants,
    claimants.map(({ affiliate_id }) => affiliate_id),
  );
}

/**
 * Locks the affiliate of a referral without a customer. If the referral has a customer, locks nothing, because the customer must be locked
 * first. If the referral gets a customer at this very moment, the locks are taken in the wrong order. At worst this causes a deadlock, and
 * the transaction is repeated.
 */
export async function lockClaimantOf(ctx: WriteCtx, referralId: string): Promise<HeldAffiliates> {
  const locked = await lockAffiliateOfReferral(ctx.db, { referralId, accountId: ctx.accountId });
  if (locked.length > 0) ctx.locks.note('affiliate');
  takeTime(ctx);
  return held(locked.map(({ id }) => id));
}

const lockAffiliateOfReferral = prepared(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql<{ id: string }>`
    select id from affiliate
    where id = (select affiliate_id from referral where id = ${referralId} and account_id = ${accountId} and ${REFERRED_ID} is null)
    for no key update`,
);

/** Locks every affiliate who can gain or lose a commission: those of the claims and those of the given sales. */
export function lockAffiliatesOf(
  ctx: WriteCtx,
  claims: readonly Claimant[],
  ofSales: RawBuilder<unknown>,
): Promise<HeldAffiliates> {
  const claimants = claims.map(({ affiliate_id }) => affiliate_id);
  return lockAndLoad(
    ctx,
    claims,
    sql`select unnest(${claimants}::text[]) union select affiliate_id from sale where ${ofSales} and affiliate_id is not null`,
  );
}

/** Locks affiliates, and loads the claimants under the locks, so that attribution finds them in the working set. */
async function lockAndLoad(
  ctx: WriteCtx,
  claimants: readonly Claimant[],
  affiliateIds: readonly string[] | RawBuilder<unknown>,
): Promise<HeldAffiliates> {
  // PostgreSQL executes the second statement after the first, so it waits for the locks too.
  const [affiliates] = await Promise.all([
    lockAffiliates(ctx, affiliateIds),
    claimants.length === 0 ? undefined : loadClaimants(ctx, claimants),
  ]);
  return affiliates;
}

/** The records that say what an affiliate earns. */
export const AFFILIATE_TERMS = [columnsOf(Affiliate), columnsOf(Campaign)];

const CLAIMANT = [REFERRAL, ...AFFILIATE_TERMS];

async function loadClaimants(ctx: WriteCtx, claimants: readonly Claimant[]): Promise<void> {
  const ids = <Name extends keyof Claimant>(name: Name) => claimants.map((claimant) => claimant[name]);
  const rows = await findClaimants(ctx.db, {
    referrals: ids('referral_id'),
    affiliates: ids('affiliate_id'),
    campaigns: ids('campaign_id'),
  });
  for (const row of rows) for (const { read } of CLAIMANT) read(ctx, row);
}

const findClaimants = prepared(
  (_db, given: { referrals: (string | null)[]; affiliates: string[]; campaigns: string[] }) => sql<Record<string, unknown>>`
    select ${sql.raw(CLAIMANT.map(({ columns }) => columns).join(', '))}
    from unnest(${given.referrals}::text[], ${given.affiliates}::text[], ${given.campaigns}::text[])
      claimant (referral_id, affiliate_id, campaign_id)
    join affiliate on affiliate.id = claimant.affiliate_id
    join campaign on campaign.id = claimant.campaign_id
    left join referral on referral.id = claimant.referral_id`,
);
