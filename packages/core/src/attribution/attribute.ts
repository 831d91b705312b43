/**
 * Decides who earns from sales, and keeps commissions as decided. Called after every fact that may show who sent a customer, or that a customer
 * paid (docs/rules/attribution.md#order-of-facts). Calling it again changes nothing.
 */
import { type AttributingCode, findAttributingCode, type RedeemedCode } from '../codes/promo-codes/attributing-code.ts';
import { Sale } from '../ledger/sales/sale.entity.ts';
import { forgetSaleCustomer, setSaleCustomer, storeSale } from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { advisoryLock, type Held, type Locked, protectedRow } from '../platform/call/locks.ts';
import { find, get, load } from '../platform/call/records.ts';
import { oneOf } from '../platform/db/conditions.ts';
import { LostRace } from '../platform/errors/constraints.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { identitiesOf, type KnownCustomer } from '../program/customers/customer.service.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { apply, type CommissionsOfSales } from './apply.ts';
import { claimByCode, claimByReferral, type ClaimChange, claimUnknownSales } from './claims/claims.ts';
import { identifyCustomer, lockCustomer, type LockedCustomer, namesOf, type SamePayer } from './claims/customers.ts';
import { decide } from './decide/decide.ts';
import { MERCHANT, NOBODY, type Payer } from './decide/facts.ts';
import { type Claimants, type Clues } from './gather/claimants.ts';
import { payerOf } from './gather/gather-sales.ts';
import { foreseen, gather, type News, type Subject } from './gather/gather.ts';

/** A reason to decide who earns. */
type Occasion =
  /** More has become known of a customer. */
  | { of: 'customer'; customer: LockedCustomer; change: Change }
  /** This transaction has drafted a sale, under these locks. */
  | { of: 'new sale'; sale: Locked<Sale>; under: CreatedUnder; clues: Clues }
  /** More has become known of a recorded sale. Its customer is not locked yet. */
  | ({ of: 'sale' } & SaleNews)
  /**
   * This transaction has changed a sale under the lock on its customer, or a sale without a customer. `referrals` are those that may earn from a sale
   * without a customer; by default that to which the sale belongs, if any.
   */
  | { of: 'changed sale'; sale: Sale; customer: LockedCustomer | null; referrals?: readonly Referral[] };

/**
 * Decides who earns, after facts have become known. Locks and loads everything that the decision depends on, writes the news under the locks, and
 * decides once.
 *
 * @returns the current commissions of the decided sales, by the id of the sale
 * @throws NOT_FOUND for an unknown sale
 */
export async function attribute(ctx: WriteCtx, occasion: Occasion): Promise<CommissionsOfSales> {
  switch (occasion.of) {
    case 'customer':
      return decideFor(ctx, subjectOfCustomer(ctx, occasion.customer, occasion.change, null));
    case 'new sale': {
      const { sale, under, clues } = occasion;
      return under.customer === null
        ? decideFor(ctx, { customer: null, sale, ...clues, claimants: under.claimants, news: null })
        : decideFor(ctx, subjectOfSale(ctx, under.customer, { sale, isCreated: true }, clues));
    }
    case 'sale': {
      const { subject, former } = await subjectOfRecorded(ctx, occasion);
      const decided = await decideFor(ctx, subject);
      if (former !== null)
        await ctx.locks.subject('former customer of a sale', () =>
          decideFor(ctx, subjectOfCustomer(ctx, former, ANY_CLAIM, null)),
        );
      return decided;
    }
    default:
      // The sale is locked before affiliates who may get it.
      return ctx.locks.subject('decision after a change', () => decideFor(ctx, subjectOfChanged(ctx, occasion)));
  }
}

async function decideFor(ctx: WriteCtx, found: Subject | null | Promise<Subject | null>): Promise<CommissionsOfSales> {
  const subject = await found;
  if (subject === null) return new Map();
  const { facts, held } = await gather(ctx, subject);
  return apply(ctx, held, facts, decide(facts));
}

/** Changes of a customer by a fact. */
export interface Change {
  /** Changes of the customer's claims. */
  claims: readonly ClaimChange[];
  /** The time from which new claims count, and from which sales changed. Null if anything may have changed. */
  from: Instant | null;
  /** True if unpaid rewards for leads are decided again. Default: if claims were strengthened, because the lead may have come earlier. */
  reopensLeads?: boolean;
}

export const ANYTHING: Change = { claims: ['strengthened'], from: null, reopensLeads: false };

/** Like `ANYTHING`, for a customer whose claims or tiers have changed, so that unpaid rewards for leads are decided again. */
export const ANY_CLAIM: Change = { ...ANYTHING, reopensLeads: true };

/** A sale that facts are about. */
interface DecidedSale {
  sale: Sale;
  isCreated: boolean;
  /** News about a sale that was recorded earlier. */
  news?: News | null;
  /** Customer of the sale, if this transaction created it. */
  payer?: Payer;
}

/** The sales of a customer that a change may affect. */
async function subjectOfCustomer(
  ctx: WriteCtx,
  customer: LockedCustomer,
  { claims, from, reopensLeads = claims.includes('strengthened') }: Change,
  decided: DecidedSale | null,
): Promise<Subject> {
  if (claims.some((change) => change !== 'none'))
    for (const id of await claimUnknownSales(ctx, customer.id)) await claimCodeOf(ctx, customer.id, await get(ctx, Sale, id));
  return {
    customer,
    sale: decided?.sale ?? null,
    isCreated: decided?.isCreated ?? false,
    news: decided?.news ?? null,
    payer: decided?.payer ?? NOBODY,
    from: claims.includes('strengthened') ? null : from,
    hasNewClaims: claims.includes('added'),
    reopensLeads,
  };
}

/** Evidence of which affiliate sent the customer of a sale. */
export interface SaleClues {
  customer: KnownCustomer;
  /** The referral that the merchant's page or checkout named. */
  referral: Referral | null;
  /** Id of the customer of `referral` (see `findReferred`). */
  referredId: string | null;
  /** The affiliate's code that was redeemed with the charge. */
  promo: AttributingCode | null;
  /** Time of the charge according to the clues; missing if it is that of the sale. */
  at?: Instant;
}

/** News about a recorded sale: clues, and facts about the sale itself. */
export interface SaleNews extends Partial<News> {
  saleId: string;
  clues: SaleClues;
}

/** The customer of a sale, whether more about them has become known, and the ids and addresses by which the clues name them (`Identified`). */
export interface CustomerOfSale extends LockedCustomer {
  hasNewIdentity: boolean;
  ids: readonly string[];
  emails: readonly string[];
}

/**
 * Finds or creates the customer whom the clues name, and locks them. Returns null if no clue names a customer.
 *
 * @param payer the customer of the sale that the clues are about, who is the same person if the clues name one
 */
export async function customerOf(
  ctx: WriteCtx,
  { customer, referredId }: Pick<SaleClues, 'customer' | 'referredId'>,
  payer: SamePayer | null = null,
): Promise<CustomerOfSale | null> {
  if (identitiesOf(customer).length > 0) return identifyCustomer(ctx, customer, payer);
  return referredId === null ? null : { ...(await lockCustomer(ctx, referredId)), hasNewIdentity: false, ids: [], emails: [] };
}

/** The locks under which a sale was created: on its customer or, if the customer is unknown, on the affiliates of its claims. */
export type CreatedUnder = { customer: CustomerOfSale } | { customer: null; claimants: Claimants };

interface DatedClues {
  /** Id of the referral that was started for `promo` already, if any. */
  startedId?: string | null;
  at?: Instant | undefined;
}

/** A customer's sale, after its clues were recorded as claims. */
async function subjectOfSale(
  ctx: WriteCtx,
  customer: CustomerOfSale,
  decided: DecidedSale,
  { referrals, promo, startedId = null, at: statedAt }: Clues & DatedClues,
): Promise<Subject> {
  const { sale, news } = decided;
  const { charged_at: chargedAt } = foreseen(sale, news);
  const at = statedAt ?? chargedAt;
  const claims: ClaimChange[] = [];
  // The merchant may have reported another time than the provider. The earlier one counts, whichever arrived first.
  const byMerchant = { madeAt: earlierOf(chargedAt, sale.report?.charged_at ?? chargedAt), namedBy: [MERCHANT] };
  // Sorted, so that two sales that name the same referrals cannot deadlock.
  for (const referral of referrals.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    // An assignment may have started the referral while nobody was known to have paid.
    const isAssigned = referral.id === sale.assigned_referral_id && referral.is_derived;
    const byPerson = { ...byMerchant, isAssigned, from: isAssigned ? chargedAt : referral.created_at };
    const fact = referral.id === sale.named_referral_id ? byPerson : { madeAt: at, namedBy: customer.ids };
    claims.push((await claimByReferral(ctx, customer.id, referral, fact)).change);
  }
  if (promo) {
    // The claim refers to the sale.
    storeSale(ctx, sale);
    claims.push(
      claimByCode(ctx, customer.id, promo, { at, saleId: sale.id, source: `sale ${sale.id}`, namedBy: customer.ids }, startedId),
    );
  }
  const from = earlierOf(sale.charged_at, chargedAt);
  const change = customer.hasNewIdentity ? ANY_CLAIM : { claims, from };
  const payer = { ids: customer.ids, emails: customer.emails, references: referrals.map(({ id }) => id) };
  return subjectOfCustomer(ctx, customer, change, { ...decided, payer });
}

/**
 * A sale that was recorded earlier, with clues that have arrived since. Locks its customer. A sale that had only the customer of its referral moves to
 * the customer whom the clues name: `former` is the one who has lost it.
 */
async function subjectOfRecorded(
  ctx: WriteCtx,
  { saleId, clues: told, foresee, learn }: SaleNews,
): Promise<{ subject: Subject; former: LockedCustomer | null }> {
  const news = learn ? { ...(foresee && { foresee }), learn } : null;
  await lockUnknownCustomerOf(ctx, saleId);
  const { customer_id: payerId, imported_at } = await get(ctx, Sale, saleId);
  // The referral and the code of an imported sale make no claim, because it would count for other charges from before the import.
  const clues = imported_at === null ? told : { ...told, referral: null, promo: null };
  const isNamed = async () => isPayer(ctx, await get(ctx, Sale, saleId));
  const named = await customerOf(ctx, clues, payerId === null ? null : { id: payerId, isNamed });
  const sale = await get(ctx, Sale, saleId);
  const holder = await lockCustomerOf(ctx, sale, named);
  const isOfAnother = holder !== null && named !== null && holder.id !== named.id && identitiesOf(clues.customer).length > 0;
  const former = isOfAnother && !(await isNamed()) ? holder : null;
  if (former !== null) await releaseSale(ctx, sale);
  const customer = former === null ? (holder ?? named) : named;
  const after = foreseen(sale, news);
  const namedBefore = await namedReferral(ctx, sale, after.charged_at !== sale.charged_at);
  // The referral and the code of a sale without a customer are not stored as claims, so they are clues each time that the sale is decided.
  const referenced = sale.customer_id === null ? await referencedReferral(ctx, sale) : null;
  const known = sale.customer_id === null ? await codeOf(ctx, after) : null;
  // The code that the provider tells wins over the one that the merchant reports.
  const isOutdone = clues.promo === null || (clues.promo.is_reported && known?.is_reported === false);
  const promo = isOutdone ? known : clues.promo;
  const startedId = promo !== null && sale.customer_id === null ? await referralStartedFor(ctx, sale, promo) : null;
  const isIdentified = customer !== null && sale.customer_id === null;
  if (customer) setSaleCustomer(ctx, protectedRow(sale), customer.id);
  const referrals = [...new Set([clues.referral, namedBefore, referenced])].filter((referral) => referral !== null);
  if (customer === null) return { subject: { customer: null, sale, referrals, promo, claimants: null, news }, former };
  const found = isIdentified ? { ...customer, hasNewIdentity: true } : customer;
  const ofSale = subjectOfSale(ctx, found, { sale, isCreated: false, news }, { referrals, promo, startedId, at: clues.at });
  return { subject: await ofSale, former };
}

/** True if a report or the payment of a sale names its customer, or did before the customer was erased. Otherwise only its referral has led to them. */
async function isPayer(ctx: WriteCtx, sale: Sale): Promise<boolean> {
  const customer = await find(ctx, Customer, sale.customer_id!);
  // Merged into another one since the sale was read.
  if (customer === null) throw new LostRace();
  if (customer.erased_at !== null) return true;
  const { ids, emails } = payerOf(sale, (await findPayment(ctx, sale))?.payer ?? NOBODY);
  const names = await namesOf(ctx, sale.customer_id!);
  return names.some((name) => ids.includes(name) || emails.includes(name));
}

/** Takes a sale away from its customer, with the codes that were redeemed with it. */
async function releaseSale(ctx: WriteCtx, sale: Sale): Promise<void> {
  await ctx.db
    .deleteFrom('attribution_claim')
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', sale.id)
    .where('customer_id', '=', sale.customer_id)
    .execute();
  forgetSaleCustomer(ctx, protectedRow(sale));
}

/**
 * Finds the code that was redeemed with a recorded sale: the one that the provider told or, without one, that of the text that the merchant reported, which is
 * looked up again, because the mode may be known now.
 */
export async function codeOf(ctx: Pick<WriteCtx, 'db' | 'accountId'>, sale: Sale): Promise<AttributingCode | null> {
  const { external_id, promo_code, psp_promotion_code_id: id, livemode, charged_at } = sale;
  const find = (redeemed: RedeemedCode) =>
    findAttributingCode(ctx.db, ctx.accountId, { ...redeemed, livemode: livemode ?? undefined }, charged_at);
  if (external_id === null) return find({ psp_promotion_code_ids: id === null ? [] : [id] });
  const told =
    sale.names.length === 0 ? null : await find({ psp_promotion_code_ids: (await findPayment(ctx, sale))?.codes ?? [] });
  return told ?? (promo_code === null ? null : find({ code: promo_code, takenFor: id }));
}

/** Finds what the provider told with the payment of a sale. */
function findPayment({ db, accountId }: Pick<WriteCtx, 'db' | 'accountId'>, { id }: Sale) {
  const payment = db.selectFrom('payment').select(['payer', 'codes']);
  return payment.where('account_id', '=', accountId).where('sale_id', '=', id).executeTakeFirst();
}

/** Records the code of a sale whose customer was unknown so far. */
async function claimCodeOf(ctx: WriteCtx, customerId: string, sale: Sale): Promise<void> {
  const promo = await codeOf(ctx, sale);
  if (promo === null) return;
  const fact = { at: sale.charged_at, saleId: sale.id, source: `sale ${sale.id}`, namedBy: [] };
  claimByCode(ctx, customerId, promo, fact, await referralStartedFor(ctx, sale, promo));
}

/** Returns the id of the referral that was started for the code of a sale without a customer, or null. */
async function referralStartedFor(ctx: WriteCtx, sale: Sale, promo: AttributingCode): Promise<string | null> {
  if (sale.referral_id === null || sale.referral_id === sale.named_referral_id) return null;
  const { id, affiliate_id, campaign_id, is_derived, customer_id } = await get(ctx, Referral, sale.referral_id);
  const isOfCode = affiliate_id === promo.affiliate_id && campaign_id === promo.campaign_id && is_derived;
  return isOfCode && customer_id === null ? id : null;
}

/**
 * Locks the customer of a sale, unless `locked` is that customer, and reads the sale again. If the customer was merged into another one
 * before the lock was granted, locks the other customer. Returns the customer of the sale, or null if the sale has none.
 */
async function lockCustomerOf(ctx: WriteCtx, sale: Sale, locked: CustomerOfSale | null): Promise<CustomerOfSale | null> {
  let last = locked;
  while (sale.customer_id !== null && sale.customer_id !== last?.id) {
    last = {
      ...(await lockCustomer(ctx, sale.customer_id)),
      hasNewIdentity: false,
      ids: last?.ids ?? [],
      emails: last?.emails ?? [],
    };
    await get(ctx, Sale, sale.id);
  }
  return sale.customer_id === null ? null : last;
}

/**
 * Takes all customer locks that `attribute` would take for several sales of one payment. Must be called before that function, which would otherwise
 * lock the customer of the second sale after the affiliates of the first sale. That is the wrong order.
 */
export async function lockCustomersOf(ctx: WriteCtx, news: readonly SaleNews[]): Promise<void> {
  const ids = news.map(({ saleId }) => saleId).toSorted();
  for (const id of ids) await lockUnknownCustomerOf(ctx, id);
  const customer = await customerOf(ctx, news[0]!.clues);
  const all = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const sales = await load(ctx, Sale, all.where(oneOf('id', ids)));
  const ofSales = sales.toSorted((one, other) => ((one.customer_id ?? '') < (other.customer_id ?? '') ? -1 : 1));
  for (const sale of ofSales) await lockCustomerOf(ctx, sale, customer);
}

/**
 * Locks the id of a sale. This lock is needed because `lockCustomer` has nothing to lock while the sale has no customer. Concurrent changes that name
 * the customer or the referral of the sale wait for this lock.
 */
export function lockUnknownCustomerOf(ctx: WriteCtx, saleId: string): Promise<Held<'customer of sale'>> {
  return advisoryLock(ctx, 'customer of sale', saleId);
}

/**
 * Finds the referral that the merchant named for a sale, by a report or by assigning the sale. Returns null if there is no such referral,
 * or if the customer already has a claim by this referral.
 *
 * @param isRedated true if the time of the charge has changed, which may change a known claim, too
 */
async function namedReferral(
  ctx: WriteCtx,
  { customer_id, named_referral_id, assigned_referral_id }: Sale,
  isRedated: boolean,
): Promise<Referral | null> {
  const referralId = assigned_referral_id ?? named_referral_id;
  if (referralId === null) return null;
  if (isRedated) return find(ctx, Referral, referralId);
  const isClaimed = await ctx.db
    .selectFrom('attribution_claim')
    .select('id')
    .where('customer_id', '=', customer_id)
    .where('referral_id', '=', referralId)
    .executeTakeFirst();
  return isClaimed ? null : find(ctx, Referral, referralId);
}

/** Finds the referral that the payment of a sale names. */
async function referencedReferral(ctx: WriteCtx, sale: Sale): Promise<Referral | null> {
  const [named] = (await findPayment(ctx, sale))?.payer.references ?? [];
  return named === undefined ? null : find(ctx, Referral, named);
}

/** A sale that was changed, e.g. by a refund. A sale with nothing left after refunds frees its place under the campaign's limits. */
async function subjectOfChanged(
  ctx: WriteCtx,
  { sale, customer, referrals }: Extract<Occasion, { of: 'changed sale' }>,
): Promise<Subject | null> {
  if (customer !== null)
    return subjectOfCustomer(ctx, customer, { claims: [], from: sale.charged_at }, { sale, isCreated: false });
  if (referrals === undefined && sale.referral_id === null) return null;
  const earning = referrals ?? [await get(ctx, Referral, sale.referral_id!)];
  return { customer: null, sale, referrals: earning, promo: null, claimants: null, news: null };
}
