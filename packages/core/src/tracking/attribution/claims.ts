/**
 * The claims on a customer, written as their facts arrive and read when sales are attributed. The caller holds the customer's lock
 * (`lockCustomer`).
 */
import { sql } from 'kysely';
import type { AttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { advisoryLock, advisoryLockAhead } from '../../platform/call/advisory-lock.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import { takeTime } from '../../platform/call/take-time.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import { entityColumns } from '../../platform/db/entity-columns.ts';
import { newId } from '../../platform/wire/ids.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { setReferralDeactivation, startReferral } from '../../program/referrals/referral.transitions.ts';
import type { AttributionClaimTable } from './attribution-claim.tables.ts';
import type { Claim } from './decide.ts';

/** Begins the source of a claim by a referral that was named, and of one that another referral continued at once. */
const NAMED = 'referral ';
const CONTINUED = 'continues ';

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
type ContinuedReferral = Pick<Referral, 'id' | 'link_id' | 'expires_at' | 'deactivated_at'>;

/**
 * Serialises everything that decides who earns from a customer. First of the locks of attribution: customer, then affiliates in the order of
 * their ids, then rows.
 */
export function lockCustomer(ctx: WriteCtx, customerId: string): Promise<void> {
  return advisoryLock(ctx, `customer ${customerId}`);
}

/**
 * Customers who name one referral take turns, so that it belongs to the first of them. Taken after `lockCustomer`, before the locks of affiliates,
 * and together with the next statement.
 */
export function lockClaimsOn(ctx: WriteCtx, referralId: string): Promise<void> {
  return advisoryLockAhead(ctx, `claims on referral ${referralId}`);
}

/**
 * The customer's referral was named. A referral that belongs to another customer, or on which another customer has a claim, is
 * continued by a new one of the same affiliate. Naming it again changes nothing.
 *
 * @param from the time from which the claim counts: by default the visit
 * @returns the id of the referral that the customer has by it
 */
export async function claimByReferral(
  ctx: WriteCtx,
  customerId: string,
  named: Referral,
  from = named.created_at,
): Promise<string> {
  const source = `${NAMED}${named.id}`;
  await ctx.em.flush();
  await lockClaimsOn(ctx, named.id);
  const { rows } = await sql<
    { claimed_id: string | null; referred_id: string | null } & Pick<ContinuedReferral, 'expires_at' | 'deactivated_at'>
  >`
    select expires_at, deactivated_at, ${REFERRED_ID} as referred_id, (
      select referral_id from attribution_claim
      where customer_id = ${customerId}
        and (source in (${source}, ${`${CONTINUED}${named.id}`}) or (kind = 'link' and referral_id = ${named.id})) limit 1) as claimed_id
    from referral where id = ${named.id}`.execute(ctx.db);
  takeTime(ctx);
  const { claimed_id, referred_id, expires_at, deactivated_at } = rows[0]!;
  if (claimed_id !== null) return claimed_id;
  const isTaken = referred_id !== null && referred_id !== customerId;
  const { id, affiliate_id, campaign_id, link_id } = named;
  const referral = isTaken
    ? await continueReferral(ctx, { affiliate_id, campaign_id }, { id, link_id, expires_at, deactivated_at }, from)
    : named;
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
    source: isTaken ? `${CONTINUED}${named.id}` : source,
  });
  return referral.id;
}

/**
 * Starts the referral that continues the one of another customer, with the same end and deactivation: it earns nothing that the other one could not.
 */
async function continueReferral(
  ctx: WriteCtx,
  of: Pick<Referral, 'affiliate_id' | 'campaign_id'>,
  { link_id, expires_at, deactivated_at }: ContinuedReferral,
  from: Instant,
): Promise<Referral> {
  const referral = await startReferral(ctx, { ...of, link_id, arrived_at: from, expires_at });
  setReferralDeactivation(referral, deactivated_at, ctx.now);
  return referral;
}

/** An affiliate's code was redeemed, with a charge or at a checkout that charged nothing. */
export async function claimByCode(
  ctx: WriteCtx,
  customerId: string,
  { affiliate_id, campaign_id, code, psp_promotion_code_id }: AttributingCode,
  { at, saleId, source }: { at: Instant; saleId: string | null; source: string },
): Promise<void> {
  await insertClaim(ctx, {
    customer_id: customerId,
    kind: 'code',
    referral_id: null,
    affiliate_id,
    campaign_id,
    code,
    psp_promotion_code_id,
    sale_id: saleId,
    claimed_from: at,
    source: `${psp_promotion_code_id} ${source}`,
  });
}

/**
 * A referral of the account, and the id of the customer whom it has: the one who is bound to it, or else the first one who has a claim on it. Null
 * when there is no such referral.
 */
export async function findReferred(
  ctx: WriteCtx,
  referralId: string,
): Promise<{ referral: Referral; referredId: string | null } | null> {
  const { columns, entityOf } = entityColumns(ctx.em, Referral, 'referral');
  const [row] = await findReferral(ctx.db, { referralId, accountId: ctx.accountId }, { columns: () => columns });
  return row === undefined ? null : { referral: entityOf(row)!, referredId: row.referred_id };
}

/** SQL: the customer whom a row of `referral` has (`findReferred`). */
export const REFERRED_ID = sql<string | null>`coalesce(referral.customer_id, (
  select customer_id from attribution_claim claim where claim.referral_id = referral.id order by claim.id limit 1
))`;

const findReferral = builtOnce(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }, { columns }: { columns: () => string }) => sql<
    Record<string, unknown> & { referred_id: string | null }
  >`
    select ${sql.raw(columns())}, ${REFERRED_ID} as referred_id
    from referral where referral.id = ${referralId} and referral.account_id = ${accountId}`,
);

async function insertClaim(
  ctx: WriteCtx,
  claim: Omit<KnownClaim, Exclude<keyof Claim, 'affiliate_id'> | 'isTest' | 'continues' | 'named_id'> & {
    customer_id: string;
    kind: 'link' | 'code';
    claimed_from: Instant;
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

interface ClaimRow extends Omit<
  AttributionClaimTable,
  'id' | 'account_id' | 'customer_id' | 'last_click' | 'before_link' | 'created_at'
> {
  link_id: string | null;
  expires_at: Instant | null;
  deactivated_at: Instant | null;
  is_taken: boolean;
  converted_by_hand_at: Instant | null;
  is_earning: boolean;
  is_test: boolean;
  is_archived: boolean;
  last_click: boolean;
  before_link: boolean;
  days_before_referrals_expire: number;
}

/**
 * Every claim on a customer. A referral that was bound before claims were kept is one, too. Former versions gave a referral to a second customer:
 * a claim of another one continues it (docs/domain-rules.md#attribution), and a conversion by a sale of any customer is not one by hand.
 */
export async function loadClaims(ctx: WriteCtx, customerId: string): Promise<KnownClaim[]> {
  await ctx.em.flush();
  const { rows } = await sql<ClaimRow>`
    with told as (
      select kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, source, last_click,
        before_link
      from attribution_claim
      where customer_id = ${customerId}
      union all
      select 'link', id, affiliate_id, campaign_id, null, null, null,
        least(created_at, (select min(charged_at) from sale where sale.referral_id = referral.id)), 'bound ' || id, null::boolean, null::boolean
      from referral
      where customer_id = ${customerId}
        and not exists (select from attribution_claim known where known.customer_id = ${customerId} and known.referral_id = referral.id)
    )
    select told.kind, told.referral_id, told.affiliate_id, told.campaign_id, told.code, told.psp_promotion_code_id, told.sale_id,
      told.claimed_from, told.source,
      coalesce(told.last_click, campaign.attribution = 'last_click') as last_click,
      coalesce(told.before_link, (select code_before_link from account where id = ${ctx.accountId})) as before_link,
      referral.link_id, referral.expires_at, referral.deactivated_at, coalesce(${REFERRED_ID} <> ${customerId}, false) as is_taken,
      case when not exists (
        select from sale where sale.referral_id = referral.id and sale.customer_id is not null and sale.charged_at = referral.converted_at
      ) then referral.converted_at end as converted_by_hand_at,
      affiliate.state = 'active' and affiliate.archived_at is null as is_earning,
      exists (
        select from promo_code where promo_code.account_id = ${ctx.accountId} and not promo_code.livemode
          and promo_code.psp_promotion_code_id = told.psp_promotion_code_id
      ) as is_test,
      campaign.archived_at is not null as is_archived, campaign.days_before_referrals_expire
    from told
    left join referral on referral.id = told.referral_id
    join affiliate on affiliate.id = told.affiliate_id
    join campaign on campaign.id = told.campaign_id`.execute(ctx.db);
  return uniqueClaims(rows.map(knownClaim));
}

function knownClaim(row: ClaimRow): KnownClaim {
  const { referral_id: id, link_id, expires_at, deactivated_at } = row;
  const isContinued = id !== null && row.is_taken;
  const named_id = row.kind === 'link' ? row.source.slice(row.source.indexOf(' ') + 1) : null;
  return {
    key: row.kind === 'code' ? row.source : row.source.startsWith(CONTINUED) ? id! : named_id!,
    kind: row.kind,
    from: row.claimed_from,
    expiresAt: id === null ? plusDays(row.claimed_from, row.days_before_referrals_expire) : expires_at,
    deactivatedAt: deactivated_at,
    convertedAt: isContinued ? null : row.converted_by_hand_at,
    obstacle: !row.is_earning ? 'affiliate_inactive' : row.is_archived ? 'campaign_archived' : null,
    lastClick: row.last_click,
    beforeLink: row.before_link,
    referral_id: isContinued ? null : id,
    continues: isContinued ? { id, link_id, expires_at, deactivated_at } : null,
    named_id,
    affiliate_id: row.affiliate_id,
    campaign_id: row.campaign_id,
    code: row.code,
    psp_promotion_code_id: row.psp_promotion_code_id,
    sale_id: row.sale_id,
    isTest: row.is_test,
  };
}

/** Several facts may name one referral. */
function uniqueClaims(claims: readonly KnownClaim[]): KnownClaim[] {
  const identity = ({ kind, key, referral_id }: KnownClaim) => (kind === 'link' ? (referral_id ?? key) : key);
  return [...new Map(claims.map((claim) => [identity(claim), claim])).values()];
}

/** The key of the customer's claim by a referral that the merchant named; null when there is none. */
export function keyOfNamed(claims: readonly KnownClaim[], referralId: string | null): string | null {
  if (referralId === null) return null;
  const links = claims.filter(({ kind }) => kind === 'link');
  const own = links.find(({ key, referral_id }) => key === referralId || referral_id === referralId);
  return (own ?? links.find(({ named_id }) => named_id === referralId))?.key ?? null;
}

/** The referral of a claim, which `lockClaimants` has loaded; one that has none yet starts when it is first needed. */
export async function referralOfClaim(ctx: WriteCtx, claim: KnownClaim): Promise<Referral> {
  if (claim.referral_id !== null) return known(ctx, Referral, claim.referral_id);
  const { affiliate_id, campaign_id, continues, from } = claim;
  const of = { affiliate_id, campaign_id };
  const referral = await (continues === null
    ? startReferral(ctx, { ...of, arrived_at: from })
    : continueReferral(ctx, of, continues, from));
  claim.referral_id = referral.id;
  return referral;
}

/** Remembers which referral a claim started. */
export async function setReferralOfClaim(ctx: WriteCtx, customerId: string, claim: KnownClaim): Promise<void> {
  await ctx.db
    .updateTable('attribution_claim')
    .set({ referral_id: claim.referral_id })
    .where('customer_id', '=', customerId)
    .where('kind', '=', claim.kind)
    .where((eb) =>
      claim.continues === null
        ? eb.and([eb('source', '=', claim.key), eb('referral_id', 'is', null)])
        : eb('referral_id', '=', claim.continues.id),
    )
    .execute();
}
