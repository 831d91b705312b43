/** Records claims on a customer, when a referral is named for the customer or an affiliate's code is redeemed. `gather` reads the claims. */
import { post } from '@affiliate/postgres';
import { type ColumnType, type RawBuilder, sql } from 'kysely';
import type { AttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { IS_IMPORTED_SALE, type Sale } from '../../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, protectedRow } from '../../platform/call/locks.ts';
import { known } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import {
  copyDeactivations,
  redateConversion,
  redateReferrals,
  startReferral,
} from '../../program/referrals/referral.transitions.ts';
import { type ClaimFact, MERCHANT } from '../decide/facts.ts';
import { REFERRED_ID } from './referred.ts';

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

/** Prefix of the `source` of a claim by the referral that was named, whose id follows. This and the next two are the only ones. */
export const NAMED = 'referral ';
/** The same for a referral that an assignment has started. */
export const ASSIGNED = 'assigned ';
/** The claim has a new referral that continues the named one. If the customer has several of these, the id of the new one follows, too. */
export const CONTINUED = 'continues ';

/** Result of recording a fact: no change, because the claim was known; a new claim; or earlier times or the proof of a known claim. */
export type ClaimChange = 'none' | 'added' | 'strengthened';

/** A claim by a referral: the id of the customer's own referral, which is the named one or a new one that continues it. */
interface ClaimedReferral {
  id: string;
  change: ClaimChange;
}

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
 * @param fact `madeAt`: when the claim was made; `from`: the time from which it counts, by default the visit; `isProven`: false if the fact is a
 *   public lead, which anyone may have reported; `isAssigned`: true if an assignment has started the referral; `namedBy`: the ids of the customer in the fact, or `MERCHANT`
 */
export async function claimByReferral(
  ctx: WriteCtx,
  customerId: string,
  named: Referral,
  {
    madeAt,
    from = named.created_at,
    isProven = true,
    isAssigned = false,
    namedBy,
  }: { madeAt: Instant; from?: Instant; isProven?: boolean; isAssigned?: boolean; namedBy: readonly string[] },
): Promise<ClaimedReferral> {
  const source = `${isAssigned ? ASSIGNED : NAMED}${named.id}`;
  await lockClaimsOn(ctx, named.id);
  const { rows } = await sql<
    { claimed_id: string | null; referred_id: string | null } & Pick<Referral, 'expires_at' | 'deactivated_at' | 'reactivated_at'>
  >`
    select expires_at, deactivated_at, reactivated_at, ${REFERRED_ID} as referred_id, (
      select referral_id from attribution_claim
      where customer_id = ${customerId}
        and (source in (${source}, ${`${CONTINUED}${named.id}`}) or (kind = 'link' and referral_id = ${named.id}))
      order by referral_id <> ${named.id} limit 1) as claimed_id
    from referral where id = ${named.id}`.execute(ctx.db);
  const { claimed_id, referred_id, ...life } = rows[0]!;
  if (claimed_id !== null) {
    return {
      id: claimed_id,
      change: await strengthen(ctx, customerId, claimed_id, named.id, { madeAt, from, isProven, namedBy }),
    };
  }
  const isTaken = referred_id !== null && referred_id !== customerId;
  const referral = isTaken ? await continueReferral(ctx, { ...named, ...life }, from) : named;
  addClaim(ctx, customerId, referral, { madeAt, from, isProven, namedBy }, isTaken ? `${CONTINUED}${named.id}` : source);
  return { id: referral.id, change: 'added' };
}

/** The times and the proof of a claim by a referral. */
interface LinkFact {
  madeAt: Instant;
  from: Instant;
  isProven: boolean;
  namedBy: readonly string[];
}

/** Adds a claim by a referral that the customer does not have yet. */
export function addClaim(
  ctx: WriteCtx,
  customerId: string,
  { id, affiliate_id, campaign_id }: Pick<Referral, 'id' | 'affiliate_id' | 'campaign_id'>,
  { madeAt, from, isProven, namedBy }: LinkFact,
  source = `${NAMED}${id}`,
): void {
  insertClaim(ctx, {
    customer_id: customerId,
    kind: 'link',
    referral_id: id,
    affiliate_id,
    campaign_id,
    code: null,
    psp_promotion_code_id: null,
    sale_id: null,
    claimed_from: from,
    made_at: madeAt,
    proven: isProven,
    lead_at: isProven ? null : madeAt,
    named_by: [...namedBy],
    source,
  });
}

/**
 * Makes the customer's claims by referrals as early as the sales that named these referrals while their customer was unknown. Otherwise such a claim,
 * which may have been made later, would take the commission of that sale away. The sales also prove the claims, and have been named by the merchant who
 * named the referral for them.
 *
 * @returns the ids of those of these sales with which a code was redeemed, which the customer's claims do not have yet
 */
export async function claimUnknownSales({ db, accountId }: WriteCtx, customerId: string): Promise<string[]> {
  // A referral that was started for a code has no visit and begins with the charge.
  const { rows } = await sql<{ id: string }>`
    with claimed as materialized (
      select sale.id, of.referral_id, promo_code, charged_at,
        case when named_referral_id = of.referral_id then least(charged_at, (report ->> 'charged_at')::timestamptz) else charged_at end as made_at,
        case when sale.referral_id = of.referral_id and named_referral_id is distinct from of.referral_id
          then least(charged_at, referral.created_at) else referral.created_at end as started_at,
        case when named_referral_id = of.referral_id then array[${MERCHANT}]::text[] else '{}' end as named_by
      from attribution_claim of join referral on referral.id = of.referral_id
      cross join lateral (${unknownSalesOf(sql`of.referral_id`)}) sale
      where of.customer_id = ${customerId} and of.account_id = ${accountId} and of.kind = 'link'
    ), dated as (
      update attribution_claim claim set proven = true, made_at = ${provenTime(sql`made_at`, sql`earliest.made_at`)},
        claimed_from = ${provenTime(sql`claimed_from`, sql`earliest.started_at`)},
        named_by = ${union(sql`claim.named_by`, sql`earliest.named_by`)}
      from (
        select referral_id, min(made_at) as made_at, min(started_at) as started_at, max(named_by) as named_by from claimed group by referral_id
      ) earliest
      where claim.account_id = ${accountId} and claim.customer_id = ${customerId} and claim.kind = 'link' and claim.referral_id = earliest.referral_id
    )
    select distinct id from claimed where promo_code is not null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** SQL expression: the referral that the row `payment` names, or null. It has an index. */
export const REFERENCE = sql<string | null>`(payment.payer -> 'references' ->> 0)`;

/**
 * SQL query: the sales without a customer that have a referral but are not imported, or for which the merchant or the payment named it although a code
 * earned.
 */
export function unknownSalesOf(referralId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select * from sale where customer_id is null and referral_id = ${referralId} and not ${IS_IMPORTED_SALE}
    union all
    select * from sale where customer_id is null and named_referral_id = ${referralId} and named_referral_id is distinct from referral_id
    union all
    select sale.* from payment join sale on sale.id = payment.sale_id
    where payer -> 'references' <> '[]' and ${REFERENCE} = ${referralId} and customer_id is null
      and referral_id is distinct from ${referralId} and named_referral_id is distinct from ${referralId}`;
}

/** SQL expression: the id of the referral that the row `claim` of a link names. */
const NAMED_ID = sql`split_part(claim.source, ' ', 2)`;

/** SQL: a time of the row of a claim after a proof with this time. The times of a public lead do not count once the claim is proven. */
function provenTime(column: RawBuilder<unknown>, proof: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when claim.proven then least(claim.${column}, ${proof}) else ${proof} end`;
}

/** SQL: the elements of two arrays. */
function union(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select distinct unnest(${one} || ${other}) order by 1)`;
}

/**
 * Makes the times of a customer's claim by a referral earlier, if they are later than the given ones. A proof replaces the times of a public lead, and a
 * lead does not change those of a proof. A proof holds for all claims by public leads that name the same referral.
 */
async function strengthen(
  { db, accountId }: WriteCtx,
  customerId: string,
  referralId: string,
  namedId: string,
  { madeAt, from, isProven, namedBy }: LinkFact,
): Promise<ClaimChange> {
  const [made, start] = [sql`${madeAt}::timestamptz`, sql`${from}::timestamptz`];
  const ofCustomer = sql`claim.account_id = ${accountId} and claim.customer_id = ${customerId} and claim.kind = 'link'`;
  const { numAffectedRows } = isProven
    ? await sql`
        update attribution_claim claim set proven = true, made_at = ${provenTime(sql`made_at`, made)},
          claimed_from = ${provenTime(sql`claimed_from`, start)}, named_by = ${union(sql`named_by`, sql`${namedBy}::text[]`)}
        where ${ofCustomer} and (claim.referral_id = ${referralId} or (not proven and ${NAMED_ID} = ${namedId}))
          and (claimed_from > ${start} or made_at > ${made} or not proven or not named_by @> ${namedBy}::text[])`.execute(db)
    : await sql`
        update attribution_claim claim set lead_at = ${made}, made_at = case when proven then made_at else ${made} end
        where ${ofCustomer} and claim.referral_id = ${referralId} and (lead_at is null or lead_at > ${made})`.execute(db);
  return numAffectedRows === 0n ? 'none' : 'strengthened';
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
 * Records a claim by an affiliate's code that was redeemed with a charge, or at a checkout that charged nothing. The claim of a code that the merchant
 * reported is `namedBy` the merchant.
 *
 * @param referralId the referral that was started for the code already, if any
 */
export function claimByCode(
  ctx: WriteCtx,
  customerId: string,
  { affiliate_id, campaign_id, code, psp_promotion_code_id, is_reported }: AttributingCode,
  { at, saleId, source, namedBy }: { at: Instant; saleId: string | null; source: string; namedBy: readonly string[] },
  referralId: string | null = null,
): ClaimChange {
  insertClaim(ctx, {
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
    lead_at: null,
    named_by: [...namedBy, ...(is_reported ? [MERCHANT] : [])],
    source: `${psp_promotion_code_id} ${source}`,
  });
  return 'added';
}

/**
 * Corrects the times of claims after the time of a charge was corrected: those of the codes that were redeemed with the sale, and of the referrals that
 * began with the charge or converted by it.
 *
 * @param before the time of the charge until now
 */
export async function redateClaims(ctx: WriteCtx, sale: Sale, before: Instant): Promise<void> {
  const { id, charged_at: at, referral_id } = sale;
  await sql`update attribution_claim set claimed_from = ${at}, made_at = ${at} where sale_id = ${id}`.execute(ctx.db);
  const { rows } = await sql<{ id: string }>`
    select referral_id as id from attribution_claim where sale_id = ${id} and referral_id is not null
    union select referral_id from sale
    where id = ${id} and promo_code is not null and customer_id is null and referral_id is distinct from named_referral_id
      and referral_id is not null`.execute(ctx.db);
  const started = rows.map((row) => row.id);
  if (started.length > 0) await redateReferrals(ctx, started, { before, at });
  if (referral_id !== null) await redateConversion(ctx, referral_id, { before, at });
}

type NewClaim = Omit<AttributionClaimTable, 'id' | 'account_id' | 'created_at' | 'crowded'>;

function insertClaim(ctx: WriteCtx, claim: NewClaim): void {
  const inserted = ctx.db
    .insertInto('attribution_claim')
    .values({
      ...claim,
      id: newId('attribution_claim', ctx.clock.now()),
      account_id: ctx.accountId,
      created_at: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'source']).doNothing());
  post(ctx.db, inserted.compile());
}

/** Returns the referral of a claim, which `gather` has loaded. If the claim has no referral yet, starts one. */
export async function referralOfClaim(ctx: WriteCtx, claim: ClaimFact): Promise<Locked<Referral>> {
  if (claim.referral_id !== null) return protectedRow(await known(ctx, Referral, claim.referral_id));
  const { affiliate_id, campaign_id, from, expiresAt } = claim;
  return startReferral(ctx, { affiliate_id, campaign_id, arrived_at: from, expires_at: expiresAt, is_derived: true });
}

/** Stores the id of the referral that was started for a claim. */
export function setReferralOfClaim(ctx: WriteCtx, customerId: string, { source }: ClaimFact, referralId: string): void {
  const update = ctx.db
    .updateTable('attribution_claim')
    .set({ referral_id: referralId })
    .where('customer_id', '=', customerId)
    .where('source', '=', source)
    .where('referral_id', 'is', null);
  post(ctx.db, update.compile());
}

/** Moves the claims of one customer to another one. */
export async function moveClaims({ db, now }: WriteCtx, from: string, to: string): Promise<void> {
  // One referral may have been continued for both customers, each by a claim of their own. Both claims are kept, and both tell the referral that was named.
  const combined = (column: 'claimed_from' | 'made_at') => {
    const [kept, moved] = [sql.raw(`attribution_claim.${column}`), sql.raw(`excluded.${column}`)];
    return sql`${sql.raw(column)} = case when attribution_claim.proven = excluded.proven then least(${kept}, ${moved})
      when attribution_claim.proven then ${kept} else ${moved} end`;
  };
  await sql`
    insert into attribution_claim (id, account_id, customer_id, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, made_at, source, proven, lead_at, crowded, named_by, created_at)
    select new_id('claim', ${now}::timestamptz), account_id, ${to}, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, made_at,
      case when exists (
        select from attribution_claim kept where kept.customer_id = ${to} and kept.source = claim.source and kept.referral_id <> claim.referral_id
      ) then source || ' ' || referral_id else source end,
      proven, lead_at, crowded, named_by, created_at
    from attribution_claim claim where customer_id = ${from}
    on conflict (customer_id, source) do update set ${combined('claimed_from')}, ${combined('made_at')},
      proven = attribution_claim.proven or excluded.proven, lead_at = least(attribution_claim.lead_at, excluded.lead_at),
      crowded = attribution_claim.crowded or excluded.crowded,
      named_by = ${union(sql`attribution_claim.named_by`, sql`excluded.named_by`)}`.execute(db);
  await sql`delete from attribution_claim where customer_id = ${from}`.execute(db);
  await proveNamedAlike(db, to);
}

/**
 * Proves a customer's claim by a public lead if another claim of the customer names the same referral and is proven. Two customers who turned out to be one
 * have such claims.
 */
async function proveNamedAlike(db: WriteCtx['db'], customerId: string): Promise<void> {
  const same = sql`proof.named_id = ${NAMED_ID}`;
  await sql`
    with proof as materialized (
      select ${NAMED_ID} as named_id, made_at, claimed_from, named_by
      from attribution_claim claim where customer_id = ${customerId} and kind = 'link' and proven
    )
    update attribution_claim claim set proven = true, made_at = (select min(made_at) from proof where ${same}),
      claimed_from = (select min(claimed_from) from proof where ${same}),
      named_by = array(select unnest(claim.named_by) union select unnest(named_by) from proof where ${same} order by 1)
    where customer_id = ${customerId} and kind = 'link' and not proven and exists (select from proof where ${same})`.execute(db);
}
