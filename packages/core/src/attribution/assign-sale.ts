import { sql } from 'kysely';
import { IS_OF_SALE, isUnpaid } from '../ledger/commissions/commission.entity.ts';
import { getPlainCommission, getPlainCommissions } from '../ledger/commissions/commission.queries.ts';
import { isImported, type NoCommissionReason, Sale } from '../ledger/sales/sale.entity.ts';
import { getSale } from '../ledger/sales/sale.queries.ts';
import {
  assignReferral,
  nameReferral,
  reconsiderSale as markReconsidered,
  setSaleCustomer,
} from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { protectedRow } from '../platform/call/locks.ts';
import { find, foundOrThrow, get, known, referenced } from '../platform/call/records.ts';
import { DomainError, invalid, noSuch } from '../platform/errors/errors.ts';
import type { Reason } from '../platform/texts/reason.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import type { CommissionState } from '../platform/wire/states.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { isLive, Referral } from '../program/referrals/referral.entity.ts';
import { startReferral } from '../program/referrals/referral.transitions.ts';
import { ANYTHING, attribute, lockUnknownCustomerOf } from './attribute.ts';
import { ASSIGNED, claimByReferral } from './claims/claims.ts';
import { lockCustomer, type LockedCustomer } from './claims/customers.ts';
import { findReferred } from './claims/referred.ts';
import { MERCHANT } from './decide/facts.ts';
import { servesCharge } from './decide/own-referrals.ts';
import { ATTRIBUTION_REASONS, CANNOT_EARN } from './reasons.ts';
import { type AssignedSale, type AssignSale, MAX_ALSO, type ReconsideredSale } from './sale-decision.schema.ts';

/**
 * Assigns a sale whose commission is not paid to an affiliate, by naming a referral as if the merchant had named it in a report of the sale
 * (docs/rules/attribution.md#assigning-by-hand). Facts do not undo the assignment. Assigning the sale to the same affiliate again changes nothing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the affiliate cannot earn from the sale; CONFLICT when the commission of another affiliate is paid, or was
 * imported
 */
export async function assignSale(ctx: WriteCtx, input: Omit<AssignSale, 'dry_run'>): Promise<AssignedSale> {
  await lockUnknownCustomerOf(ctx, input.id);
  const chosen = await readChosen(ctx, input);
  const customer = await lockCustomerOf(ctx, input.id, chosen.referredId);
  const customerId = customer?.id ?? null;
  const sale = foundOrThrow(await find(ctx, Sale, input.id), 'sale');
  const locked = protectedRow(sale);
  const earned = await findEarned(ctx, sale.id);
  if (earned?.affiliate_id === chosen.affiliate.id && !(await isOfCode(ctx, sale))) {
    if (isUnpaid(earned) && sale.assigned_referral_id === null && sale.referral_id !== null) {
      const referral = await get(ctx, Referral, sale.referral_id);
      assignReferral(ctx, locked, referral.id);
      await claimAssigned(ctx, sale, customerId, { referral, isStarted: false });
      // A person connects the customer with the affiliate now, which may end flags.
      if (customer !== null) await attribute(ctx, { of: 'customer', customer, change: ANYTHING });
    }
    return { sale: await getSale(ctx, sale.id), commission: await getPlainCommission(ctx, earned.id), also: [], also_totals: [] };
  }
  if (earned?.state === 'paid') throw paidToAnother();
  if (isImported(sale)) throw new DomainError('CONFLICT', ATTRIBUTION_REASONS.imported_commission);
  if (chosen.referral !== null) assertIsLiveAt(chosen.referral, sale.charged_at);
  if (customerId !== null) setSaleCustomer(ctx, locked, customerId);
  const formerId = sale.referral_id;
  const before = await earnedFrom(ctx, customerId);
  const own = chosen.referral ?? (await referralOf(ctx, sale, customerId, chosen.affiliate));
  const { id: affiliate_id, campaign_id } = chosen.affiliate;
  const referral =
    own ?? (await startReferral(ctx, { affiliate_id, campaign_id, arrived_at: sale.charged_at, is_derived: true }));
  const namedId = await claimAssigned(ctx, sale, customerId, {
    referral,
    isStarted: own === null,
    visit: chosen.referral?.created_at,
  });
  nameReferral(ctx, locked, namedId);
  assignReferral(ctx, locked, namedId);
  // The referral that loses the sale may not have converted.
  const former = formerId === null || formerId === referral.id ? [] : [await get(ctx, Referral, formerId)];
  const decided =
    customer === null
      ? await attribute(ctx, { of: 'changed sale', sale, customer, referrals: [referral, ...former] })
      : await attribute(ctx, { of: 'customer', customer, change: ANYTHING });
  const commission = decided.get(sale.id);
  if (commission === undefined) throw cannotEarn(sale.no_commission_reason ?? 'nothing_to_earn');
  // The commission may have been paid before the affiliates were locked.
  if (commission.affiliate_id !== chosen.affiliate.id) throw paidToAnother();
  const after = await earnedFrom(ctx, customerId);
  const also = after.filter((id) => id !== commission.id && !before.includes(id));
  return {
    sale: await getSale(ctx, sale.id),
    commission: await getPlainCommission(ctx, commission.id),
    also: await getPlainCommissions(ctx, also.slice(0, MAX_ALSO)),
    also_totals: await totalsOf(ctx, also),
  };
}

/**
 * Records that a person connects the customer of a sale with a referral. The claim counts from the time of the charge or from an earlier visit.
 *
 * @param of.isStarted true if the assignment has started the referral
 * @param of.visit time of the visit of the referral that the person named
 * @returns the id of the referral of the claim: the same, or one that continues it for this customer
 */
async function claimAssigned(
  ctx: WriteCtx,
  { charged_at: madeAt }: Sale,
  customerId: string | null,
  { referral, isStarted, visit = madeAt }: { referral: Referral; isStarted: boolean; visit?: Instant | undefined },
): Promise<string> {
  if (customerId === null) return referral.id;
  const from = earlierOf(visit, madeAt);
  return (await claimByReferral(ctx, customerId, referral, { madeAt, from, isAssigned: isStarted, namedBy: [MERCHANT] })).id;
}

/** Throws VALIDATION_ERROR if the referral was not live at the charge. A sale that was assigned before earns nevertheless. */
function assertIsLiveAt(referral: Referral, chargedAt: Instant): void {
  if (isLive(referral, chargedAt)) return;
  throw cannotEarn(referral.deactivated_at === null ? 'referral_expired' : 'referral_deactivated');
}

/** Finds the commission that a sale has earned, or null. Ignores superseded commissions. */
export async function findEarned(
  { db, accountId }: WriteCtx,
  saleId: string,
): Promise<{ id: string; affiliate_id: string; state: CommissionState } | null> {
  const earned = await db
    .selectFrom('commission')
    .select(['id', 'affiliate_id', 'state'])
    .where('account_id', '=', accountId)
    .where('sale_id', '=', saleId)
    .where(IS_OF_SALE)
    .where('superseded', '=', false)
    .executeTakeFirst();
  return earned ?? null;
}

interface Chosen {
  affiliate: Affiliate;
  /** Null if the request names only the affiliate: any referral of the affiliate will do. */
  referral: Referral | null;
  /** Id of the referral's customer, if there is one. */
  referredId: string | null;
}

async function readChosen(ctx: WriteCtx, { affiliate_id, referral_id }: Omit<AssignSale, 'dry_run'>): Promise<Chosen> {
  if ((affiliate_id === undefined) === (referral_id === undefined))
    throw invalid('affiliate_id', ATTRIBUTION_REASONS.affiliate_or_referral, 'required');
  if (affiliate_id !== undefined)
    return { affiliate: await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id'), referral: null, referredId: null };
  const found = await findReferred(ctx, referral_id!);
  if (found === null) throw invalid('referral_id', noSuch('referral'), 'not_found');
  return { affiliate: await known(ctx, Affiliate, found.referral.affiliate_id), ...found };
}

/**
 * Locks the customer of the sale or, if the sale has none, the customer of the named referral. Throws NOT_FOUND.
 */
async function lockCustomerOf(ctx: WriteCtx, saleId: string, referredId: string | null): Promise<LockedCustomer | null> {
  for (;;) {
    const customerId = await customerIdOf(ctx, saleId);
    const locked = customerId ?? referredId;
    if (locked === null) return null;
    const customer = await lockCustomer(ctx, locked);
    // While this transaction waited for the lock, the customer may have been merged into another one.
    if ((await customerIdOf(ctx, saleId)) === customerId) return customer;
  }
}

async function customerIdOf({ db, accountId }: WriteCtx, saleId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sale')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .where('id', '=', saleId)
    .executeTakeFirst();
  return foundOrThrow(row, 'sale').customer_id;
}

/**
 * Returns the customer's referral of this affiliate that serves the charge of the sale (`servesCharge`), or null. One that an earlier assignment started
 * serves earlier charges, too.
 */
async function referralOf(ctx: WriteCtx, sale: Sale, customerId: string | null, affiliate: Affiliate): Promise<Referral | null> {
  if (customerId === null) return null;
  const claimed = await ctx.db
    .selectFrom('attribution_claim')
    .select(['referral_id', 'claimed_from', 'made_at', 'source'])
    .where('customer_id', '=', customerId)
    .where('affiliate_id', '=', affiliate.id)
    .where('kind', '=', 'link')
    .where('referral_id', 'is not', null)
    .orderBy('claimed_from')
    .orderBy('referral_id')
    .execute();
  for (const { referral_id, source, ...times } of claimed) {
    const referral = await known(ctx, Referral, referral_id!);
    if (
      source.startsWith(ASSIGNED) ? isLive(referral, sale.charged_at) : servesCharge(sale.charged_at, { ...referral, ...times })
    )
      return referral;
  }
  return null;
}

/** True if the referral of the sale was started for a code of the customer, which gives way to a visit that becomes known later. */
async function isOfCode({ db }: WriteCtx, { customer_id, referral_id }: Sale): Promise<boolean> {
  if (customer_id === null || referral_id === null) return false;
  const row = await db
    .selectFrom('attribution_claim')
    .select('id')
    .where('customer_id', '=', customer_id)
    .where('referral_id', '=', referral_id)
    .where('kind', '=', 'code')
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the ids of the commissions that a customer's sales have earned, oldest first. */
async function earnedFrom({ db }: WriteCtx, customerId: string | null): Promise<string[]> {
  if (customerId === null) return [];
  const { rows } = await sql<{ id: string }>`
    select commission.id from commission join sale on sale.id = commission.sale_id
    where sale.customer_id = ${customerId} and commission.kind = 'sale' and not commission.superseded and commission.state <> 'voided'
    order by commission.id`.execute(db);
  return rows.map(({ id }) => id);
}

async function totalsOf({ db }: WriteCtx, ids: readonly string[]): Promise<AssignedSale['also_totals']> {
  const { rows } = await sql<AssignedSale['also_totals'][number]>`
    select currency, count(*) as commissions_count, sum(amount_cents) as amount_cents
    from commission where id = any(${ids}::text[]) group by currency order by currency`.execute(db);
  return rows;
}

function cannotEarn(reason: NoCommissionReason): DomainError {
  const said: Partial<Record<NoCommissionReason, Reason>> = CANNOT_EARN;
  return invalid('affiliate_id', said[reason] ?? ATTRIBUTION_REASONS.cannot_earn, reason);
}

function paidToAnother(): DomainError {
  return new DomainError('CONFLICT', ATTRIBUTION_REASONS.paid_to_other_affiliate);
}

/**
 * Decides again who earns from a sale that earned nothing, by the states and terms of now instead of those at the time of the charge
 * (docs/rules/attribution.md#history). If the sale then earns, facts undo this as little as an assignment by hand. Does nothing if the sale has earned a commission, unless a person has voided it and the facts give the sale to
 * another affiliate (docs/rules/attribution.md#paid-commissions).
 *
 * @throws NOT_FOUND; CONFLICT when another sale of the customer would lose its commission
 */
export async function reconsiderSale(ctx: WriteCtx, { id }: { id: string }): Promise<ReconsideredSale> {
  await lockUnknownCustomerOf(ctx, id);
  const customer = await lockCustomerOf(ctx, id, null);
  const before = await findEarned(ctx, id);
  const sale = foundOrThrow(await find(ctx, Sale, id), 'sale');
  if (before === null || (before.state === 'voided' && sale.contested !== null)) {
    const earning = await earnedFrom(ctx, sale.customer_id);
    const locked = protectedRow(sale);
    markReconsidered(ctx, locked);
    if (customer === null) {
      const referralId = sale.named_referral_id ?? sale.referral_id;
      const referral = referralId === null ? null : await find(ctx, Referral, referralId);
      await attribute(ctx, { of: 'changed sale', sale, customer, referrals: referral === null ? [] : [referral] });
    } else await attribute(ctx, { of: 'customer', customer, change: ANYTHING });
    // The sale may convert a claim that keeps the customer for good, or take a place under the limits of the campaign.
    const after = new Set(await earnedFrom(ctx, sale.customer_id));
    if (earning.some((earned) => !after.has(earned)))
      throw new DomainError('CONFLICT', ATTRIBUTION_REASONS.other_sale_would_lose);
    if (sale.referral_id !== null && sale.no_commission_reason === null) assignReferral(ctx, locked, sale.referral_id);
  }
  const earned = await findEarned(ctx, id);
  return {
    sale: await getSale(ctx, id),
    commission: earned === null ? null : await getPlainCommission(ctx, earned.id),
    reason: sale.no_commission_reason,
  };
}
