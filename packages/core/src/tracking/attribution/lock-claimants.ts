import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { entityColumns } from '../../platform/db/entity-columns.ts';
import { WITHOUT_WAITING } from '../../platform/db/prepared-statements.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { lockAffiliates } from '../../program/affiliates/affiliate.service.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { REFERRED_ID } from './referred.ts';

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
export async function lockClaimants(ctx: WriteCtx, claimants: readonly Claimant[]): Promise<void> {
  const affiliates = claimants.map(({ affiliate_id }) => affiliate_id);
  await lockAndLoad(ctx, claimants, affiliates);
}

/**
 * Locks the affiliate of a referral without a customer. The locking statement is sent together with the caller's next statement, which
 * reads the data under the lock. If the referral has a customer, locks nothing, because the customer must be locked first. If the referral
 * gets a customer at this very moment, the locks are taken in the wrong order. At worst this causes a deadlock, and the transaction is
 * repeated.
 */
export async function lockClaimantOf(ctx: WriteCtx, referralId: string): Promise<void> {
  await lockAffiliateOfReferral(ctx.db, { referralId, accountId: ctx.accountId });
}

/** Name of the database setting in which `lockClaimantOf` stores the id of the locked affiliate until the transaction ends. */
const LOCKED = 'claimant.affiliate_id';

const lockAffiliateOfReferral = prepared(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql`${sql.raw(WITHOUT_WAITING)}
    select set_config(${sql.lit(LOCKED)}, id, true) from affiliate
    where id = (select affiliate_id from referral where id = ${referralId} and account_id = ${accountId} and ${REFERRED_ID} is null)
    for no key update`,
);

/** SQL condition: `lockClaimantOf` has locked the affiliate of the `referral` row. Null or false if it has not. */
export const IS_CLAIMANT_LOCKED = sql<boolean | null>`current_setting(${sql.lit(LOCKED)}, true) = referral.affiliate_id`;

/** Locks every affiliate who can gain or lose a commission: those of the claims and those of the given sales. The caller has flushed. */
export async function lockAffiliatesOf(ctx: WriteCtx, claims: readonly Claimant[], ofSales: RawBuilder<unknown>): Promise<void> {
  const claimants = claims.map(({ affiliate_id }) => affiliate_id);
  await lockAndLoad(
    ctx,
    claims,
    sql`select unnest(${claimants}::text[]) union select affiliate_id from sale where ${ofSales} and affiliate_id is not null`,
  );
}

function lockAndLoad(
  ctx: WriteCtx,
  claimants: readonly Claimant[],
  affiliateIds: readonly string[] | RawBuilder<unknown>,
): Promise<void> {
  return lockAffiliates(ctx, affiliateIds, claimants.length === 0 ? undefined : () => loadClaimants(ctx, claimants));
}

/**
 * Loads the referrals, affiliates and campaigns of claimants into memory while the affiliates are locked, so that attribution finds them
 * there.
 */
async function loadClaimants(ctx: WriteCtx, claimants: readonly Claimant[]): Promise<void> {
  const loaded = [
    entityColumns(ctx.em, Referral, 'referral'),
    entityColumns(ctx.em, Affiliate, 'affiliate'),
    entityColumns(ctx.em, Campaign, 'campaign'),
  ];
  const ids = <Name extends keyof Claimant>(name: Name) => claimants.map((claimant) => claimant[name]);
  const columns = () => loaded.map((each) => each.columns).join(', ');
  const rows = await findClaimants(
    ctx.db,
    { referrals: ids('referral_id'), affiliates: ids('affiliate_id'), campaigns: ids('campaign_id') },
    { columns },
  );
  for (const row of rows) for (const { entityOf } of loaded) entityOf(row);
}

const findClaimants = prepared(
  (
    _db,
    { referrals, affiliates, campaigns }: { referrals: (string | null)[]; affiliates: string[]; campaigns: string[] },
    { columns }: { columns: () => string },
  ) => sql<Record<string, unknown>>`
    select ${sql.raw(columns())}
    from unnest(${referrals}::text[], ${affiliates}::text[], ${campaigns}::text[]) claimant (referral_id, affiliate_id, campaign_id)
    join affiliate on affiliate.id = claimant.affiliate_id
    join campaign on campaign.id = claimant.campaign_id
    left join referral on referral.id = claimant.referral_id`,
);
