/**
 * Locks and loads everything that a decision depends on. The locks are taken in this order: the customer, then the affiliates in the order of their ids.
 * Under these locks, nobody else changes the claims, the sales and the commissions that are read here.
 */
import { sql } from 'kysely';
import type { FormerCodeChoice } from '../../identity/accounts/account.entity.ts';
import { type HeldAffiliates, lockAffiliates } from '../../ledger/affiliate-lock.ts';
import { IS_IMPORTED_SALE, isLive, Sale } from '../../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAll } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { earlierOf, type Instant, isBefore, plusDays } from '../../platform/time/instant.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { ASSIGNED, type AttributionClaimTable, CONTINUED } from '../claims/claims.ts';
import type { LockedCustomer } from '../claims/customers.ts';
import { LIMIT_REASONS } from '../decide/decide.ts';
import { BEGINNING, type Checkpoint } from '../decide/earners.ts';
import { versionAt } from '../decide/eligibility.ts';
import {
  CHARGE_KEY,
  chargeKey,
  type ClaimFact,
  type Facts,
  MERCHANT,
  NOBODY,
  type Payer,
  type Reopening,
  type SaleFact,
} from '../decide/facts.ts';
import {
  CLAIMANT,
  type ClaimantFacts,
  type Claimants,
  claimantsIn,
  claimingAffiliate,
  claimingCampaign,
  claimingReferral,
  type Clues,
  earnersOf,
  findClaimants,
  type HistoryRow,
  lockClaimants,
  newClaimants,
  readClaimant,
  type Reader,
} from './claimants.ts';
import { gatherRewards } from './gather-rewards.ts';
import {
  factOfNew,
  findCommissionsOfScope,
  findSalesOfScope,
  payerOf,
  readCounted,
  readSales,
  salesWith,
} from './gather-sales.ts';
import { affiliatesOf, type Extent, idsOfClaims, type Scope, scopeOf, type ScopeValues, valuesOf } from './gather-scope.ts';

/** Sales to decide together: all of a customer, or one whose customer is unknown. */
export type Subject = CustomerSubject | SaleSubject;

/** News about a recorded sale. */
export interface News {
  /** Returns the sale with the news, by which its records are locked and loaded. Default: the sale as it is. */
  foresee?: (sale: Sale) => Sale;
  /** Writes the news under the locks of the decision. Returns the reason to decide an unpaid commission of the sale again, or null. */
  learn: () => Promise<Reopening | null>;
}

/** Returns a sale with the news about it. */
export function foreseen(sale: Sale, news: News | null | undefined): Sale {
  return news?.foresee?.(sale) ?? sale;
}

interface CustomerSubject extends Extent {
  customer: LockedCustomer;
  news: News | null;
}

/** A sale without a customer, with the claims that came with it. They count for this sale only. */
interface SaleSubject extends Clues {
  customer: null;
  sale: Sale;
  /** The locks under which this transaction created the sale; null if the sale was recorded earlier. */
  claimants: Claimants | null;
  news: News | null;
}

/** The facts, and the locks under which they stay true. */
interface Gathered {
  facts: Facts;
  held: HeldAffiliates;
}

/** Locks the affiliates who can gain or lose a commission, writes the news, and loads the facts. */
export function gather(ctx: WriteCtx, subject: Subject): Promise<Gathered> {
  return subject.customer === null ? gatherOfSale(ctx, subject) : gatherOfCustomer(ctx, subject);
}

async function gatherOfCustomer(ctx: WriteCtx, { customer, news, ...extent }: CustomerSubject): Promise<Gathered> {
  const scope = await scopeOf(ctx, customer.id, { ...extent, sale: extent.sale && foreseen(extent.sale, news) });
  // PostgreSQL executes the statements in this order, so the facts are read under the locks.
  const locking = lockAffiliates(ctx, affiliatesOf(scope));
  const reopenedBy = news === null ? null : await locking.then(news.learn);
  const [locked, read] = await Promise.all([locking, readFacts(ctx, scope, extent)]);
  const facts = (await lockSalesOfNobody(ctx, read.sales)) ? await readFacts(ctx, scope, extent) : read;
  if (extent.sale !== null) reopen(facts.sales, extent.sale.id, reopenedBy);
  // The other sale of a pair may have been charged earlier. Loading all sales is rare, and at worst it locks affiliates in the wrong order.
  const isOfPair = ({ sale, commission }: SaleFact) =>
    sale.id !== extent.sale?.id && commission?.review_reason === 'possible_duplicate';
  if (scope.from !== null && facts.sales.some(isOfPair))
    return gatherOfCustomer(ctx, {
      customer,
      ...extent,
      from: null,
      news: reopenedBy && { learn: () => Promise.resolve(reopenedBy) },
    });
  return { facts: { ...facts, now: ctx.now }, held: locked };
}

/**
 * Locks the sales that turn out to be of the customer, although neither a customer nor an affiliate of theirs, whose locks would protect them, was known.
 * Returns true if there are any, because their refunds may have changed since they were read.
 *
 * @throws LostRace if another transaction has found a customer or an affiliate of one meanwhile
 */
async function lockSalesOfNobody(ctx: WriteCtx, sales: readonly SaleFact[]): Promise<boolean> {
  const ids = sales.flatMap(({ sale }) => (sale.customer_id === null && sale.affiliate_id === null ? [sale.id] : []));
  if (ids.length === 0) return false;
  const all = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const locked = await lockAll(ctx, Sale, all.where(oneOf('id', ids)).orderBy('id'));
  if (locked.some(({ customer_id, affiliate_id }) => customer_id !== null || affiliate_id !== null)) throw new LostRace();
  return true;
}

/** Loads all facts about a customer without locking anything, to explain a decision. */
export async function readFactsOf(reader: Reader, customerId: string): Promise<Facts> {
  const extent: Extent = {
    sale: null,
    isCreated: false,
    payer: NOBODY,
    from: null,
    hasNewClaims: false,
    reopensLeads: false,
  };
  return readFacts(reader, await scopeOf(reader, customerId, extent), extent);
}

async function readFacts(reader: Reader, scope: Scope, { sale, isCreated, payer, reopensLeads }: Extent): Promise<Facts> {
  const { db, accountId } = reader;
  const values = { ...valuesOf(scope), accountId };
  const [claimRows, saleRows, commissionRows] = await Promise.all([
    findClaims(db, values),
    findSalesOfScope(db, values),
    findCommissionsOfScope(db, values),
  ]);
  const claimants = newClaimants();
  const sales = salesWith(reader, saleRows, commissionRows);
  const repeated = new Map(sales.map(({ sale }) => [sale.id, sale.repeats_sale_id]));
  const converted = new Map<string, Instant>();
  const claims = uniqueClaims(
    claimRows.map((row) => {
      const referral = readClaimant(reader, row, claimants);
      if (referral !== null && referral.converted_at !== null) converted.set(referral.id, referral.converted_at);
      const claim = claimOf(row, referral, claimants);
      // A code that was redeemed with a payment was redeemed with the sale of the payment, whichever report told it.
      return { ...claim, sale_id: repeated.get(claim.sale_id ?? '') ?? claim.sale_id };
    }),
  );
  if (sale !== null && isCreated) addCreated(sales, sale, payer);
  const counted = await readCounted(reader, claims, claimants, sales);
  const before = checkpointOf(scope, claims, converted);
  const { affiliates, campaigns } = claimants;
  const read = { customer: scope.customer, claims, sales: [...sales, ...counted], campaigns };
  return { ...read, now: reader.now, affiliates, before, reopensLeads, rewards: await gatherRewards(reader, read) };
}

/** Returns what the sales before those of the scope have decided: the binding, and the conversions of all claims that are loaded. */
function checkpointOf(
  { from, boundId }: Scope,
  claims: readonly ClaimFact[],
  converted: ReadonlyMap<string, Instant>,
): Checkpoint {
  const binding = claims.find(({ referral_id }) => referral_id === boundId)?.key;
  if (from === null || boundId === null || binding === undefined) return BEGINNING;
  const conversions = claims.flatMap(({ key, referral_id }) => {
    const at = converted.get(referral_id ?? '');
    return at !== undefined && isBefore(at, from) ? [[key, at] as const] : [];
  });
  return { binding, conversions: new Map(conversions) };
}

function addCreated(sales: SaleFact[], sale: Sale, payer: Payer): void {
  const stored = sales.findIndex((fact) => fact.sale.id === sale.id);
  const created = { ...(sales[stored] ?? factOfNew(sale, payer)), payer: payerOf(sale, payer), isCreated: true };
  if (stored === -1) sales.push(created);
  else sales[stored] = created;
}

function reopen(sales: readonly SaleFact[], id: string, reopenedBy: Reopening | null): void {
  for (const fact of sales) if (fact.sale.id === id) fact.reopenedBy = reopenedBy;
}

async function gatherOfSale(ctx: WriteCtx, subject: SaleSubject): Promise<Gathered> {
  const { sale } = subject;
  const claimants = subject.claimants ?? (await lockClaimants(ctx, subject, sale));
  const reopenedBy = (await subject.news?.learn()) ?? null;
  const own = subject.claimants === null ? await readSales(ctx, [sale.id]) : [factOfNew(sale, NOBODY)];
  // Another transaction may have found the customer while this one waited for the affiliates.
  if (own.some((fact) => fact.sale.customer_id !== null)) throw new LostRace();
  reopen(own, sale.id, reopenedBy);
  return { facts: await readSaleFacts(ctx, subject, claimants, own), held: claimants.held };
}

/** Loads all facts about a sale without a customer, without locking anything, to explain a decision. */
export async function readFactsOfSale(reader: Reader, sale: Sale, clues: Clues): Promise<Facts> {
  const claimants = claimantsIn(reader, await findClaimants(reader.db, earnersOf(clues)));
  return readSaleFacts(reader, { sale, ...clues }, claimants, await readSales(reader, [sale.id]));
}

async function readSaleFacts(
  reader: Reader,
  subject: Clues & { sale: Sale },
  claimants: ClaimantFacts,
  own: readonly SaleFact[],
): Promise<Facts> {
  const claims = await claimsOfSale(reader, subject, claimants);
  const sales = [...own, ...(await readExpired(reader, claims, subject.sale))];
  const counted = await readCounted(reader, claims, claimants, sales);
  const { affiliates, campaigns } = claimants;
  const read = { customer: null, claims, sales: [...sales, ...counted], campaigns };
  return {
    ...read,
    now: reader.now,
    affiliates,
    before: BEGINNING,
    reopensLeads: false,
    rewards: await gatherRewards(reader, read),
  };
}

/**
 * Loads the sales without a customer that were charged after the referral had expired. They earn if this sale shows that the referral had converted
 * before it expired.
 */
async function readExpired(reader: Reader, claims: readonly ClaimFact[], sale: Sale): Promise<SaleFact[]> {
  const mayConvert = ({ expiresAt, convertedAt }: ClaimFact) =>
    convertedAt === null && expiresAt !== null && sale.charged_at < expiresAt && expiresAt <= reader.now;
  const ids = claims.flatMap((claim) => (claim.referral_id !== null && mayConvert(claim) ? [claim.referral_id] : []));
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select sale.id from sale join referral on referral.id = sale.referral_id
    where sale.account_id = ${reader.accountId} and referral.id = any (${ids}::text[]) and sale.customer_id is null
      and sale.charged_at >= referral.expires_at and not ${IS_IMPORTED_SALE} and sale.id <> ${sale.id}`.execute(reader.db);
  return readSales(
    reader,
    rows.map(({ id }) => id),
  );
}

/** A row of `attribution_claim` with its referral, affiliate and campaign. */
interface ClaimRow
  extends
    Omit<AttributionClaimTable, 'id' | 'account_id' | 'customer_id' | 'created_at' | 'crowded'>,
    HistoryRow,
    Record<string, unknown> {
  crowded: boolean;
  is_test: boolean;
  converted_by_hand: boolean;
  /** The report and the payer of the sale with which the code was redeemed, as they are known now. Null without a sale. */
  redeemed: (Pick<Sale, 'report'> & { charge: string; payer: Payer | null }) | null;
  /** Null for a link. */
  code_choice: CodeChoice | null;
}

const findClaims = prepared(
  (_db, { accountId, ...scope }: ScopeValues & { accountId: string }) => sql<ClaimRow>`
    select claim.kind, claim.referral_id, claim.affiliate_id, claim.campaign_id, claim.code, claim.psp_promotion_code_id, claim.sale_id,
      claim.claimed_from, claim.made_at, claim.source, claim.proven, claim.lead_at, claim.crowded, claim.named_by,
      referral.converted_by_hand and not exists (
        select from sale where sale.referral_id = referral.id and sale.charged_at = referral.converted_at
          and (sale.customer_id is not null or not ${IS_IMPORTED_SALE})
      ) as converted_by_hand,
      exists (
        select from promo_code where promo_code.account_id = ${accountId} and not promo_code.livemode
          and promo_code.psp_promotion_code_id = claim.psp_promotion_code_id
      ) as is_test,
      (select json_build_object('report', report, 'charge', ${CHARGE_KEY}, 'payer', (
          select payer from payment where sale_id = coalesce(sale.repeats_sale_id, sale.id)))
       from sale where sale.id = claim.sale_id) as redeemed,
      case when claim.kind = 'code' then (
        select json_build_object('current', code_before_link, 'former', former_code_choices) from account where id = ${accountId}) end as code_choice,
      ${CLAIMANT}
    from attribution_claim claim
    left join ${claimingReferral(sql`id = claim.referral_id`)} on true
    cross join ${claimingAffiliate(sql`claim.affiliate_id`)}
    cross join ${claimingCampaign(sql`claim.campaign_id`)}
    where claim.id in (${idsOfClaims(scope)})
    order by claim.source`,
);

/** The account's choice between codes and links, with its former choices. */
interface CodeChoice {
  current: boolean;
  former: FormerCodeChoice[];
}

/** True if a code that was redeemed at a time wins over the links of its customer. */
function isBeforeLink({ current, former }: CodeChoice, at: Instant): boolean {
  const versions = { current: { code_before_link: current }, former };
  return versionAt(versions, at).code_before_link;
}

/** @param referral the referral of the claim, or null */
function claimOf(row: ClaimRow, referral: Referral | null, { campaigns, inactive }: ClaimantFacts): ClaimFact {
  const { referral_id: id, redeemed } = row;
  const rules = versionAt(campaigns.get(row.campaign_id)!.versions, row.claimed_from);
  const named_id = row.kind === 'link' ? namedIn(row) : null;
  return {
    key: keyOfClaim(row, named_id),
    source: row.source,
    kind: row.kind,
    from: row.claimed_from,
    madeAt: row.made_at,
    expiresAt: referral === null ? plusDays(row.claimed_from, rules.days_before_referrals_expire) : referral.expires_at,
    deactivatedAt: referral?.deactivated_at ?? null,
    convertedAt: row.converted_by_hand ? referral!.converted_at : null,
    inactive: id === null ? [] : inactive.get(id)!,
    lastClick: rules.attribution === 'last_click',
    beforeLink: row.code_choice !== null && isBeforeLink(row.code_choice, row.claimed_from),
    referral_id: id,
    named_id,
    affiliate_id: row.affiliate_id,
    campaign_id: row.campaign_id,
    code: row.code,
    psp_promotion_code_id: row.psp_promotion_code_id,
    sale_id: row.sale_id,
    isTest: row.is_test,
    namedBy:
      redeemed === null ? row.named_by : [...new Set([...row.named_by, ...payerOf(redeemed, redeemed.payer ?? NOBODY).ids])],
    isCrowded: row.crowded,
    isAssigned: row.source.startsWith(ASSIGNED),
    standsFor: [],
    isProven: row.proven,
    lead: row.lead_at === null ? null : { at: row.lead_at, from: referral!.created_at },
  };
}

/** Returns the id of the referral that was named for a claim by a link. */
function namedIn({ source, referral_id }: ClaimRow): string {
  const named = source.slice(source.indexOf(' ') + 1);
  // Of several claims that continue one referral, those that a merge brought tell their own referral, too (`moveClaims`).
  return named.endsWith(` ${referral_id}`) ? named.slice(0, -` ${referral_id}`.length) : named;
}

function keyOfClaim({ source, referral_id, psp_promotion_code_id, redeemed }: ClaimRow, namedId: string | null): string {
  if (namedId !== null) return source.startsWith(CONTINUED) ? `${namedId} ${referral_id}` : namedId;
  // The id of a sale depends on when it arrives, and the key of its charge does not. Of codes of one second, the one of the earlier charge comes first.
  return redeemed === null ? source : `${redeemed.charge} ${psp_promotion_code_id}`;
}

/**
 * Combines claims by the same referral, because several facts may name it: the earliest times count, and one proof is enough. Leaves out the code that the
 * merchant reported for a sale with which another code was redeemed at the provider.
 */
function uniqueClaims(claims: readonly ClaimFact[]): ClaimFact[] {
  const isReported = ({ kind, namedBy }: ClaimFact) => kind === 'code' && namedBy.includes(MERCHANT);
  const redeemed = new Set(claims.flatMap((claim) => (claim.sale_id === null || isReported(claim) ? [] : [claim.sale_id])));
  const counted = claims.filter((claim) => !isReported(claim) || claim.sale_id === null || !redeemed.has(claim.sale_id));
  const byIdentity = Map.groupBy(counted, ({ kind, key, referral_id }) => (kind === 'link' ? (referral_id ?? key) : key));
  return [...byIdentity.values()].map((same) => same.reduce(combined));
}

function combined(one: ClaimFact, other: ClaimFact): ClaimFact {
  const proven = [one, other].filter(({ isProven }) => isProven);
  const times = proven.length > 0 ? proven : [one, other];
  const leads = [one, other].flatMap(({ lead }) => (lead === null ? [] : [lead]));
  return {
    ...one,
    from: times.map(({ from }) => from).reduce(earlierOf),
    madeAt: times.map(({ madeAt }) => madeAt).reduce(earlierOf),
    isProven: proven.length > 0,
    namedBy: [...new Set([...one.namedBy, ...other.namedBy])].toSorted(),
    isCrowded: one.isCrowded || other.isCrowded,
    lead:
      leads.length === 0
        ? null
        : { at: leads.map(({ at }) => at).reduce(earlierOf), from: leads.map(({ from }) => from).reduce(earlierOf) },
  };
}

/** Builds the claims that came with a sale whose customer is unknown. */
async function claimsOfSale(
  reader: Reader,
  { sale, referrals, promo }: Clues & { sale: Sale },
  { campaigns, inactive }: ClaimantFacts,
): Promise<ClaimFact[]> {
  const rulesAt = (id: string, at: Instant) => versionAt(campaigns.get(id)!.versions, at);
  const converted = await conversionsByOthers(reader, sale, referrals);
  const claims = referrals.map((referral): ClaimFact => ({
    key: referral.id,
    source: null,
    kind: 'link',
    affiliate_id: referral.affiliate_id,
    campaign_id: referral.campaign_id,
    from: beginningOf(referral, sale),
    madeAt: sale.charged_at,
    expiresAt: referral.expires_at,
    deactivatedAt: referral.deactivated_at,
    inactive: inactive.get(referral.id) ?? [],
    convertedAt: converted.get(referral.id) ?? null,
    lastClick: rulesAt(referral.campaign_id, beginningOf(referral, sale)).attribution === 'last_click',
    beforeLink: false,
    referral_id: referral.id,
    named_id: referral.id,
    code: null,
    psp_promotion_code_id: null,
    sale_id: null,
    isTest: false,
    namedBy: [],
    isCrowded: false,
    isAssigned: false,
    standsFor: [],
    isProven: true,
    lead: null,
  }));
  if (promo === null) return claims;
  // If the code has already earned from this sale, a referral was started for the code. The claim keeps that referral.
  const isOfCode = sale.affiliate_id === promo.affiliate_id && !referrals.some(({ id }) => id === sale.referral_id);
  const earned = isOfCode ? sale.referral_id : null;
  const { attribution, days_before_referrals_expire } = rulesAt(promo.campaign_id, sale.charged_at);
  const ofCode: ClaimFact = {
    key: `${chargeKey(sale)} ${promo.psp_promotion_code_id}`,
    source: null,
    kind: 'code',
    affiliate_id: promo.affiliate_id,
    campaign_id: promo.campaign_id,
    from: sale.charged_at,
    madeAt: sale.charged_at,
    expiresAt: plusDays(sale.charged_at, days_before_referrals_expire),
    deactivatedAt: null,
    inactive: [],
    convertedAt: null,
    lastClick: attribution === 'last_click',
    beforeLink: isBeforeLink(await codeChoice(reader), sale.charged_at),
    referral_id: earned,
    named_id: null,
    code: promo.code,
    psp_promotion_code_id: promo.psp_promotion_code_id,
    sale_id: sale.id,
    isTest: !isLive(sale),
    namedBy: promo.is_reported ? [MERCHANT] : [],
    isCrowded: false,
    isAssigned: false,
    standsFor: [],
    isProven: true,
    lead: null,
  };
  return [...claims, ofCode];
}

/**
 * Returns the time from which a referral counts for a sale whose customer is unknown: the visit. A referral that was started for the code of this
 * sale has no visit and counts from the charge, although it was created later. The merchant's name for a referral needs no earlier time.
 */
function beginningOf({ id, created_at }: Referral, { referral_id, named_referral_id, charged_at }: Sale): Instant {
  return referral_id === id && named_referral_id !== id && charged_at < created_at ? charged_at : created_at;
}

/** Returns the times at which referrals have converted without a sale, which this decision finds out itself: by hand, or by other sales. */
async function conversionsByOthers(
  { db, accountId }: Reader,
  sale: Sale,
  referrals: readonly Referral[],
): Promise<Map<string, Instant>> {
  const converted = referrals.flatMap(({ id, converted_at: at }) => (at === null ? [] : [[id, at] as const]));
  const [own, others] = [true, false].map((isOwn) => converted.filter(([, at]) => (at === sale.charged_at) === isOwn));
  if (own!.length === 0) return new Map(others);
  const { rows } = await sql<{ referral_id: string; at: Instant }>`
    select referral.id as referral_id, min(charged_at) as at from sale join referral on referral.id = sale.referral_id
    where sale.account_id = ${accountId} and referral.id = any (${own!.map(([id]) => id)}::text[]) and sale.id <> ${sale.id}
      and (expires_at is null or charged_at < expires_at)
      and charge_amount_cents > tax_amount_cents and (no_commission_reason is null or no_commission_reason::text = any (${LIMIT_REASONS}::text[]))
    group by referral.id`.execute(db);
  return new Map([...others!, ...rows.map(({ referral_id, at }) => [referral_id, at] as const)]);
}

async function codeChoice({ db, accountId }: Reader): Promise<CodeChoice> {
  return db
    .selectFrom('account')
    .select(['code_before_link as current', 'former_code_choices as former'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}
