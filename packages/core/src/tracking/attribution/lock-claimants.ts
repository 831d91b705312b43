import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import { entityColumns } from '../../platform/db/entity-columns.ts';
import { WITHOUT_WAITING } from '../../platform/db/prepared-statements.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { lockAffiliates } from '../../program/affiliates/affiliate.service.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { REFERRED_ID } from './referred.ts';

/** An affiliate who may earn, by a referral or by a code that has none yet. */
export interface Claimant {
  referral_id: string | null;
  affiliate_id: string;
  campaign_id: string;
}

/**
 * Locks the affiliates who may earn from a sale without a customer that is about to be created. Sales of one referral get their time and id under this lock,
 * so that a later one never takes a commission that an earlier response has shown.
 */
export async function lockClaimants(ctx: WriteCtx, claimants: readonly Claimant[]): Promise<void> {
  const affiliates = claimants.map(({ affiliate_id }) => affiliate_id);
  await lockAndLoad(ctx, claimants, affiliates);
}

/**
 * Locks the affiliate of a referral without a customer, ahead of the next statement, which reads what the lock protects. A referral with a customer
 * locks nobody: the customer comes first. If the referral gets one at this moment, the locks are taken in the wrong order, which at
 * worst is a deadlock, and the transaction is repeated.
 */
export async function lockClaimantOf(ctx: WriteCtx, referralId: string): Promise<void> {
  await lockAffiliateOfReferral(ctx.db, { referralId, accountId: ctx.accountId });
}

/** Name of the setting in which a transaction keeps the id of the affiliate whom `lockClaimantOf` has locked. */
const LOCKED = 'claimant.affiliate_id';

const lockAffiliateOfReferral = builtOnce(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql`${sql.raw(WITHOUT_WAITING)}
    select set_config(${sql.lit(LOCKED)}, id, true) from affiliate
    where id = (select affiliate_id from referral where id = ${referralId} and account_id = ${accountId} and ${REFERRED_ID} is null)
    for no key update`,
);

/** Condition: `lockClaimantOf` has locked the affiliate of a row of `referral`. Null or false when it has not. */
export const IS_CLAIMANT_LOCKED = sql<boolean | null>`current_setting(${sql.lit(LOCKED)}, true) = referral.affiliate_id`;

/** Locks every affiliate who can gain or lose a commission. The caller has flushed. */
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

/** Loads the referrals, affiliates and campaigns of claimants as they are under the affiliates' locks: attribution finds them in memory. */
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

const findClaimants = builtOnce(
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
