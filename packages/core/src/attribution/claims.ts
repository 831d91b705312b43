/**
 * Records claims on a customer, when a referral is named for the customer or an affiliate's code is redeemed. load-claims.ts reads the
 * claims when sales are attributed.
 */
import { sql } from 'kysely';
import type { AttributingCode } from '../codes/promo-codes/attributing-code.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Held, type Locked, advisoryLock, protectedBy } from '../platform/call/locks.ts';
import { known } from '../platform/call/records.ts';
import type { Instant } from '../platform/time/instant.ts';
import { newId } from '../platform/wire/ids.ts';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import type { Sale } from '../ledger/sales/sale.entity.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { copyDeactivations, startReferral } from '../program/referrals/referral.transitions.ts';
import type { Claim } from './decide.ts';
import { CONTINUED, type KnownClaim, NAMED } from './known-claim.ts';
import { REFERRED_ID } from './referred.ts';

/**
 * Locks a customer, so that only one transaction at a time decides who earns from this customer's charges. The locks of attribution are
 * taken in this order: customer, then affiliates in the order of their ids, then rows.
 */
export function lockCustomer(ctx: WriteCtx, customerId: string): Promise<HeldCustomer> {
  return advisoryLock(ctx, 'customer', customerId);
}

export type HeldCustomer = Held<'customer'>;

/**
 * Takes a lock on the claims on a referral. If several customers name the referral at once, the lock makes the others wait until the first
 * customer has the referral.
 */
export function lockClaimsOn(ctx: WriteCtx, referralId: string): Promise<Held<'claims on referral'>> {
  return advisoryLock(ctx, 'claims on referral', referralId);
}

/**
 * Records a claim by a referral that was named for the customer. If another customer has the referral or a claim on it, starts a new
 * referral of the same affiliate and campaign for this customer (`continueReferral`). Naming the same referral again only makes the times of the
 * claim earlier and proves the claim, so the order in which the facts arrive does not matter.
 *
 * @param fact `madeAt`: when the claim was made; `from`: the time from which it counts, by default the visit; `isProven`: false if anyone may have
 *   reported the fact
 * @returns the id of the customer's own referral: the named referral, or the new one that continues it
 */
export async function claimByReferral(
  ctx: WriteCtx,
  customerId: string,
  named: Referral,
  { madeAt, from = named.created_at, isProven = true }: { madeAt: Instant; from?: Instant; isProven?: boolean },
): Promise<string> {
  const source = `${NAMED}${named.id}`;
  await lockClaimsOn(ctx, named.id);
  const { rows } = await sql<
    { claimed_id: string | null; referred_id: string | null } & Pick<Referral, 'expires_at' | 'deactivated_at' | 'reactivated_at'>
  >`
    select expires_at, deactivated_at, reactivated_at, ${REFERRED_ID} as referred_id, (
      select referral_id from attribution_claim
      where customer_id = ${customerId}
        and (source in (${source}, ${`${CONTINUED}${named.id}`}) or (kind = 'link' and referral_id = ${named.id})) limit 1) as claimed_id
    from referral where id = ${named.id}`.execute(ctx.db);
  const { claimed_id, referred_id, ...life } = rows[0]!;
  if (claimed_id !== null) {
    await strengthen(ctx, customerId, claimed_id, { madeAt, from, isProven });
    return claimed_id;
  }
  const isTaken = referred_id !== null && referred_id !== customerId;
  const { affiliate_id, campaign_id } = named;
  const referral = isTaken ? await continueReferral(ctx, { ...named, ...life }, from) : named;
  await insertClaim(ctx, {
    customer_id: customerId,
    kind: 'link',
    referral_id: referral.id,
    affiliate_id,
    campaign_id,
    code: null,
    psp_promotion_code_id: null,
    sale_id: null,
    claimed_from: from,
    made_at: madeAt,
    proven: isProven,
    source: isTaken ? `${CONTINUED}${named.id}` : source,
  });
  return referral.id;
}

/**
 * Makes the customer's claim by a referral as early as a sale that named the referral while its customer was unknown. Otherwise the claim, which
 * may have been made later, would take the commission of that sale away. The sale also proves the claim.
 */
export async function claimByAnonymousSale(
  ctx: WriteCtx,
  customerId: string,
  claims: readonly KnownClaim[],
  { referral_id, named_referral_id, charged_at }: Sale,
): Promise<void> {
  for (const claim of claims) {
    if (claim.kind !== 'link' || claim.referral_id === null || claim.referral_id !== referral_id) continue;
    // A referral that was started for a code has no visit and begins with the charge. A referral that the merchant named needs no earlier time.
    const isStart = named_referral_id !== referral_id && charged_at < claim.from;
    if (charged_at >= claim.madeAt && !isStart && claim.isProven) continue;
    if (charged_at < claim.madeAt) claim.madeAt = charged_at;
    if (isStart) claim.from = charged_at;
    claim.isProven = true;
    await strengthen(ctx, customerId, referral_id, claim);
  }
}

/** Makes the times of a customer's claim by a referral earlier, if they are later than the given ones, and records that the claim is proven. */
async function strengthen(
  { db, accountId }: WriteCtx,
  customerId: string,
  referralId: string,
  { madeAt, from, isProven }: { madeAt: Instant; from: Instant; isProven: boolean },
): Promise<void> {
  await sql`
    update attribution_claim set claimed_from = least(claimed_from, ${from}::timestamptz), made_at = least(made_at, ${madeAt}::timestamptz),
      proven = proven or ${isProven}
    where account_id = ${accountId} and customer_id = ${customerId} and kind = 'link' and referral_id = ${referralId}
      and (claimed_from > ${from}::timestamptz or made_at > ${madeAt}::timestamptz or proven < ${isProven})`.execute(db);
}

/**
 * Starts a referral that continues the referral of another customer. The new referral has the same expiry and deactivations, so it earns
 * nothing that the other referral could not earn.
 */
async function continueReferral(ctx: WriteCtx, of: Referral, from: Instant): Promise<Locked<Referral>> {
  const { affiliate_id, campaign_id, link_id, expires_at } = of;
  const referral = await startReferral(ctx, { affiliate_id, campaign_id, link_id, arrived_at: from, expires_at });
  copyDeactivations(ctx, referral, of);
  return referral;
}

/**
 * Records a claim by an affiliate's code that was redeemed with a charge, or at a checkout that charged nothing.
 *
 * @param referralId the referral that was started for the code already, if any
 */
export async function claimByCode(
  ctx: WriteCtx,
  customerId: string,
  { affiliate_id, campaign_id, code, psp_promotion_code_id }: AttributingCode,
  { at, saleId, source }: { at: Instant; saleId: string | null; source: string },
  referralId: string | null = null,
): Promise<void> {
  await insertClaim(ctx, {
    customer_id: customerId,
    kind: 'code',
    referral_id: referralId,
    affiliate_id,
    campaign_id,
    code,
    psp_promotion_code_id,
    sale_id: saleId,
    claimed_from: at,
    made_at: at,
    proven: true,
    source: `${psp_promotion_code_id} ${source}`,
  });
}

async function insertClaim(
  ctx: WriteCtx,
  claim: Omit<KnownClaim, Exclude<keyof Claim, 'affiliate_id' | 'campaign_id'> | 'isTest' | 'isProven' | 'named_id'> & {
    customer_id: string;
    kind: 'link' | 'code';
    claimed_from: Instant;
    made_at: Instant;
    proven: boolean;
    source: string;
  },
): Promise<void> {
  await ctx.db
    .insertInto('attribution_claim')
    .values({
      ...claim,
      id: newId('attribution_claim', ctx.clock.now()),
      account_id: ctx.accountId,
      last_click: sql<boolean>`(select attribution = 'last_click' from campaign where id = ${claim.campaign_id})`,
      before_link: sql<boolean>`(select code_before_link from account where id = ${ctx.accountId})`,
      created_at: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'source']).doNothing())
    .execute();
}

/** Returns the referral of a claim. If the claim has no referral yet, starts one. An existing referral was loaded by `lockClaimants`. */
export async function referralOfClaim(ctx: WriteCtx, affiliates: HeldAffiliates, claim: KnownClaim): Promise<Locked<Referral>> {
  if (claim.referral_id !== null) return protectedBy(affiliates, await known(ctx, Referral, claim.referral_id));
  const { affiliate_id, campaign_id, from } = claim;
  const referral = await startReferral(ctx, { affiliate_id, campaign_id, arrived_at: from });
  claim.referral_id = referral.id;
  return referral;
}

/** Stores the id of the referral that `referralOfClaim` started for a claim. */
export async function setReferralOfClaim(ctx: WriteCtx, customerId: string, claim: KnownClaim): Promise<void> {
  await ctx.db
    .updateTable('attribution_claim')
    .set({ referral_id: claim.referral_id })
    .where('customer_id', '=', customerId)
    .where('source', '=', claim.key)
    .where('referral_id', 'is', null)
    .execute();
}
