/**
 * Locks and loads everything that a decision depends on. The locks are taken in this order: the customer, then the affiliates in the order of their
 * ids. Under these locks, nobody else changes the claims, the sales and the commissions that are read here.
 */
import { sql } from 'kysely';
import { type HeldAffiliates, lockAffiliates } from '../../ledger/affiliate-lock.ts';
import { IS_IMPORTED_SALE, Sale } from '../../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAll } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { LockedCustomer } from '../claims/customers.ts';
import { BEGINNING, type Checkpoint } from '../decide/earners.ts';
import { type ClaimFact, type Facts, type SaleFact, type Payer, type Reopening, NOBODY } from '../decide/facts.ts';
import {
  type Clues,
  type Reader,
  type Claimants,
  type ClaimantFacts,
  newClaimants,
  readClaimant,
  lockClaimants,
  earnersOf,
  claimantsIn,
  findClaimants,
} from './claimants.ts';
import { findClaims, claimOf, uniqueClaims, claimsOfSale } from './gather-claims.ts';
import { gatherRewards } from './gather-rewards.ts';
import {
  payerOf,
  factOfNew,
  findSalesOfScope,
  findCommissionsOfScope,
  salesWith,
  readCounted,
  readSales,
} from './gather-sales.ts';
import { type Extent, type Scope, scopeOf, valuesOf, affiliatesOf } from './gather-scope.ts';

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
export interface Gathered {
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
