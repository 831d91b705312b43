import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { attribute, lockCustomersOf, lockUnknownCustomerOf, type SaleNews } from '../../attribution/attribute.ts';
import { REFERRAL, REFERRED_ID } from '../../attribution/claims/referred.ts';
import {
  CLAIMANT,
  claimantIn,
  type ClaimantRow,
  claimingAffiliate,
  claimingCampaign,
  claimingReferral,
  lockClaimantOf,
} from '../../attribution/gather/claimants.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { isLive, Sale, type SaleReport } from '../../ledger/sales/sale.entity.ts';
import { setSaleAmounts, setSaleReport } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { protectedRow } from '../../platform/call/locks.ts';
import { find, get } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { DomainError, invalid, noSuch } from '../../platform/errors/errors.ts';
import { earlierOf } from '../../platform/time/instant.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { findCustomers, identitiesOf } from '../../program/customers/customer.service.ts';
import { mayBePurged } from '../../program/referrals/referral.transitions.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { learnFromReport } from '../sales/amend-sale.ts';
import {
  addsTo,
  type ChargedPayment,
  codeOfPayment,
  type ComparedReport,
  contradictions,
  customerOfPayer,
  identifiesPayer,
  isCharged,
  namesNobody,
  type Report,
  returnedTotal,
  storedReport,
  valuesOf,
  withoutReportedShipping,
} from '../sales/facts-of-payment.ts';
import type { LockedSale } from '../sales/record-refund.ts';
import { lockNames, type NewSale, recordedSale, recordSale, type Referrer } from '../sales/record-sale.ts';
import { amend, applyRefunds, findTold, keepPayment, paidOutside, withImportedCharge } from './known-payment.ts';

/** Facts about a payment beside its snapshot. */
interface Told {
  /** The treatment of a payment outside the provider. */
  outside?: OutsidePayments;
  /** The merchant's report; null if a source tells the payment. */
  report?: Report | null;
}

/** The sale of a payment. `commission` is null for a sale that was known before. */
type Settled = NewSale & { isNew: boolean };

/**
 * Makes the sale of a payment agree with what a source or a merchant's report tells of it: records the sale once something was charged, attributes it
 * once a referrer is known, corrects its amounts and names, and applies its refunds and disputes. Reduces other sales that name the payment to zero.
 * Idempotent.
 *
 * @returns null if nothing was charged, and for a snapshot of a source that is older than the one before
 * @throws as `trackSale`, for a report
 */
export async function settle(
  ctx: WriteCtx,
  told: PaymentSeen,
  { outside = 'count', report = null }: Told,
): Promise<Settled | null> {
  const seen = isCharged(told) ? told : await withImportedCharge(ctx, told);
  if (seen === null) return null;
  const found = report === null ? await findTold(ctx, seen) : await findReport(ctx, seen, report);
  if (found === null) return null;
  const [known] = found.sales;
  const paid_outside = found.report === null ? paidOutside(seen, found.sales, outside) : null;
  if (known === undefined) {
    // If nothing is left of what was paid outside the provider, other payments have it.
    if (seen.paidOutside && seen.charged.amount.amount === 0) return null;
    const recorded = await recordSale(ctx, seen, found, paid_outside);
    if (report === null) keepPayment(ctx, recorded.saleId, seen, { referral: found.referral, formerIds: [] });
    // The commission is earned first, so that a refund reduces it in every order of the facts.
    if (returnedTotal(seen) > 0) await settle(ctx, seen, { outside, report });
    return { ...recorded, isNew: true };
  }
  const news = found.report === null ? await amend(ctx, seen, found, paid_outside) : await adopt(ctx, seen, found);
  // For one sale, the locks are taken in the right order anyway.
  if (news.length > 1) await lockCustomersOf(ctx, news);
  for (const each of news) await ctx.locks.subject('sale of a payment', () => attribute(ctx, { of: 'sale', ...each }));
  return { saleId: known.id, commission: null, isNew: false };
}

/** A report of a sale, and the existing records to which it refers. */
interface FoundReport extends Referrer {
  report: Report;
  /** The sale, if it was recorded before. */
  sales: { id: string }[];
}

/**
 * Finds the sale to which a report refers and the referral that it names, in one statement. If the provider may also report the charge,
 * locks the names of the payment first (`lockNames`).
 *
 * If nothing but the referral says who sent the customer, also locks the referral's affiliate, unless the referral has a customer, because the customer
 * must be locked first.
 */
async function findReport(ctx: WriteCtx, seen: PaymentSeen, report: Report): Promise<FoundReport> {
  const { names, group, references, codes } = seen;
  await lockNames(ctx, seen, report.external_id);
  const values = soughtSale(ctx.accountId, report.external_id, seen);
  const referralId = references[0]?.value;
  const found = ({ sale_id }: { sale_id: string | null }, referrer: Referrer): FoundReport => {
    if (referralId !== undefined && referrer.referral === null) assertPurged(ctx, referralId);
    return { report, sales: sale_id === null ? [] : [{ id: sale_id }], ...referrer };
  };
  if (referralId === undefined) return found((await findSale(ctx.db, values))[0]!, { referral: null, referredId: null });
  const ofReferral = { ...values, referralId };
  if (identifiesPayer(seen) || codes.length > 0 || names.length > 0 || group !== null) {
    const row = (await findSaleAndReferral(ctx.db, ofReferral))[0]!;
    return found(row, { referral: REFERRAL.read(ctx, row), referredId: row.referred_id });
  }
  // PostgreSQL executes the second statement after the first, so it reads under the lock.
  const [locked, rows] = await Promise.all([lockClaimantOf(ctx, referralId), findSaleAndClaimant(ctx.db, ofReferral)]);
  const row = rows[0]!;
  const referral = REFERRAL.read(ctx, row);
  // The referral may have got a customer, and another affiliate may have got the referral, before the lock was granted.
  const isLocked = referral !== null && locked.of.has(referral.affiliate_id);
  // The referral got a customer while this transaction waited. The repeated transaction locks the customer before the affiliate.
  if (row.referred_id !== null && locked.of.size > 0) throw new LostRace();
  return found(row, { referral, referredId: row.referred_id, claimants: isLocked ? claimantIn(ctx, row, locked) : null });
}

/**
 * Accepts an unknown referral id only if its referral may have been purged: the merchant may keep the id longer than this service does. The
 * sale is then recorded as if it named no referral. Throws VALIDATION_ERROR.
 */
function assertPurged(ctx: WriteCtx, referralId: string): void {
  if (!mayBePurged(referralId, ctx.now)) throw invalid('referral_id', noSuch('referral'), 'not_found');
}

interface Found extends Record<string, unknown> {
  sale_id: string | null;
  referred_id: string | null;
}

type FoundClaimant = Found & ClaimantRow;

type ReportOfReferral = SoughtSale & { referralId: string };

const findSale = prepared((_db, sought: SoughtSale) => sql<{ sale_id: string | null }>`select (${idOfSale(sought)}) as sale_id`);

const findSaleAndReferral = prepared((_db, report: ReportOfReferral) =>
  saleAndReferral<Found>(report, sql`referral.referral`, sql``),
);

const findSaleAndClaimant = prepared((_db, report: ReportOfReferral) =>
  saleAndReferral<FoundClaimant>(
    report,
    CLAIMANT,
    sql`left join ${claimingAffiliate(sql`referral.affiliate_id`)} on true left join ${claimingCampaign(sql`referral.campaign_id`)} on true`,
  ),
);

function saleAndReferral<Row extends Found>(
  { referralId, ...sought }: ReportOfReferral,
  columns: RawBuilder<unknown>,
  joins: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`
    select (${idOfSale(sought)}) as sale_id, ${columns}, ${REFERRED_ID} as referred_id
    from (values (true)) report
    left join ${claimingReferral(sql`id = ${referralId} and account_id = ${sought.accountId}`)} on true ${joins}`;
}

/** The values of `idOfSale`. Undefined values are not given. */
interface SoughtSale {
  accountId: string;
  external_id: string;
  names: readonly string[] | undefined;
  firstName: string | undefined;
  group: string | undefined;
}

function soughtSale(accountId: string, external_id: string, { names, group }: PaymentSeen): SoughtSale {
  return {
    accountId,
    external_id,
    names: names.length === 0 ? undefined : names,
    firstName: names[0],
    group: names.length === 0 && group !== null ? group.name : undefined,
  };
}

/**
 * SQL query: the id of the sale of a report. If one sale has the merchant's id and another one a name, it is the sale with the merchant's id. A report that
 * names only a group, e.g. an invoice with several payments, is about a payment of the group that a source has told and no report has named yet. The
 * text of the query depends only on which values are given.
 */
function idOfSale({ accountId, external_id, names, firstName, group }: SoughtSale) {
  const isNamed = (name: RawBuilder<unknown>) =>
    sql`id = any (array(select sale_id from payment_name where account_id = ${accountId} and name ${name}))`;
  const matches = [sql`external_id = ${external_id}`];
  const best = [sql`external_id = ${external_id} desc nulls last`];
  if (names !== undefined) {
    matches.push(isNamed(sql`= any (${names}::text[]) and not of_group`));
    best.push(sql`${firstName} = any (names) desc`);
  }
  if (group !== undefined) {
    matches.push(sql`${isNamed(sql`= ${group} and of_group`)} and livemode is not null`);
    best.push(sql`(external_id is null) desc`);
  }
  return sql<string>`
    select id from sale where account_id = ${accountId} and (${sql.join(matches, sql` or `)})
    order by ${sql.join([...best, sql`id`])} limit 1`;
}

/**
 * Adds the merchant's report (external id and named referral) to a sale that the payment provider reported first. Keeps the provider's
 * amounts. To a sale that the merchant reported before, under another external id, adds the affiliate or the customer whom the first report left out.
 *
 * @returns the news about the sale; empty if the merchant reported the sale before, unless its code has been assigned since
 * @throws VALIDATION_ERROR when the merchant reported the payment before, under another external id, and this report adds nothing; CONFLICT when an
 * earlier report with this external id had other values
 */
async function adopt(
  ctx: WriteCtx,
  seen: ChargedPayment,
  { sales, report, referral, referredId }: FoundReport,
): Promise<SaleNews[]> {
  const { external_id, metadata, isNow } = report;
  const sale = await find(ctx, Sale, sales[0]!.id);
  if (!sale) throw invalid('external_id', INTAKE_REASONS.sale_of_test_mode, 'other_mode');
  const isRepeated = sale.external_id === external_id;
  if (isRepeated) await assertSameReport(ctx, sale, seen);
  const { code } = codeOfPayment(ctx.accountId, seen);
  if (isRepeated && (code === undefined || sale.psp_promotion_code_id !== null)) return [];
  await lockUnknownCustomerOf(ctx, sale.id);
  await get(ctx, Sale, sale.id);
  const isSecond = sale.external_id !== null;
  if (isSecond && sale.report?.second_external_id === external_id) return [];
  const at = isNow ? ctx.now : seen.charged.at;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, { code, livemode: isLive(sale) }, sale.charged_at);
  const clues = { customer: customerOfPayer(seen, at), referral, referredId, promo };
  // The code may have been assigned since the first report.
  if (isRepeated) return promo === null ? [] : [{ saleId: sale.id, clues }];
  const stated = storedReport(seen, report, at);
  if (isSecond && !addsTo(sale, { report: stated, referralId: referral?.id ?? null, promo }))
    throw invalid('external_id', INTAKE_REASONS.payment_reported_before, 'taken');
  if (!isSecond) saveMerchantData(ctx, Sale, protectedRow(sale), { metadata });
  const ofNobody = promo === null ? (code ?? null) : null;
  setSaleReport(ctx, protectedRow(sale), {
    external_id: sale.external_id ?? external_id,
    named_referral_id: referral?.id ?? null,
    promo_code: ofNobody,
    report: sale.report === null ? stated : withSecond(sale.report, stated, external_id),
  });
  const isAboutRewards = ofNobody !== null || (!isSecond && Object.keys(metadata ?? {}).length > 0);
  const about = {
    isAboutRewards,
    statesTax: stated.tax_amount_cents > 0,
    leaveOut: report.shippingCents === 0 ? null : (locked: LockedSale) => leaveOutShipping(ctx, locked),
  };
  return [{ saleId: sale.id, clues, learn: () => learnFromReport(ctx, sale.id, seen.lines, about) }];
}

/**
 * Leaves out the shipping that the merchant's report states, of a sale of which a source has told an amount that includes it. Returns whether the amounts
 * have changed.
 */
async function leaveOutShipping(ctx: WriteCtx, locked: LockedSale): Promise<boolean> {
  const { sale } = locked;
  const { charge_amount_cents: amount, tax_amount_cents: tax, currency, charged_at: at } = sale;
  const told = await ctx.db
    .selectFrom('payment')
    .select(['refunds', 'disputes'])
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', sale.id)
    .executeTakeFirst();
  if (told === undefined) return false;
  const whole = { ...told, charged: { amount: { amount, currency }, tax: { amount: tax, currency }, at } };
  const left = withoutReportedShipping(whole, sale.report);
  if (left === whole) return false;
  const { charged, refunds, disputes } = left;
  setSaleAmounts(ctx, sale, { charge_amount_cents: charged.amount.amount, tax_amount_cents: charged.tax.amount });
  const kept = ctx.db
    .updateTable('payment')
    .set({ refunds: JSON.stringify(refunds), disputes: JSON.stringify(disputes), updated_at: ctx.now })
    .where('sale_id', '=', sale.id);
  post(ctx.db, kept.compile());
  await applyRefunds(ctx, left, locked, { isRepeated: false, isNamedTwice: false });
  return true;
}

/** Returns the report of a sale after a second report of the payment has named a customer whom the first one left out, or an affiliate. */
function withSecond(first: SaleReport, second: SaleReport, externalId: string): SaleReport {
  const { customer_email, psp_customer_id, external_customer_id } = namesNobody(first) ? second : first;
  const customer = { customer_email, psp_customer_id, external_customer_id };
  const chargedAt = earlierOf(first.charged_at, second.charged_at);
  return { ...first, ...customer, charged_at: chargedAt, second_external_id: externalId };
}

/**
 * Throws CONFLICT, with the stored sale, if the report contradicts the earlier report of the sale (docs/rules/intake.md#reported-sales). The
 * amounts of the sale itself may come from the provider, so the report is compared with the earlier report. A sale that an older version
 * recorded has no report: its own values count, unless they come from the provider.
 */
async function assertSameReport(ctx: WriteCtx, sale: Sale, seen: ChargedPayment): Promise<void> {
  const reported = valuesOf(seen);
  const known = sale.report ?? (sale.livemode === null ? ownValuesOf(sale) : null);
  if (known === null) return;
  const isSameCustomer =
    sale.customer_id === null ||
    (await isErased(ctx, sale.customer_id)) ||
    (await findCustomers(ctx, identitiesOf(customerOfPayer(seen, ctx.now)))).customers.some(({ id }) => id === sale.customer_id);
  // A report with the values to which the sale was corrected agrees with the sale.
  const isCorrected = sale.livemode === null && hasAmountsOf(reported, sale);
  const fields = contradictions(isCorrected ? { ...known, ...amountsOf(reported) } : known, reported, isSameCustomer);
  if (fields.length === 0) return;
  const { sale: shown, commission } = await recordedSale(ctx, sale);
  const stored = { sale: shown, commission };
  throw new DomainError('CONFLICT', INTAKE_REASONS.sale_reported_otherwise({ fields: fields.join(', '), id: '{id}' }), {
    reason: 'other_values',
    fields,
    ...stored,
  });
}

/** The names of an erased customer are unknown, so a report cannot contradict them. */
async function isErased(ctx: WriteCtx, customerId: string): Promise<boolean> {
  return (await get(ctx, Customer, customerId)).erased_at !== null;
}

function amountsOf({ amount_cents, tax_amount_cents, currency }: ComparedReport) {
  return { amount_cents, tax_amount_cents, currency };
}

function hasAmountsOf({ amount_cents, tax_amount_cents, currency }: ComparedReport, sale: Sale): boolean {
  return amount_cents === sale.charge_amount_cents && tax_amount_cents === sale.tax_amount_cents && currency === sale.currency;
}

function ownValuesOf({ charge_amount_cents, tax_amount_cents, currency }: Sale): ComparedReport {
  const nobody = { customer_email: null, psp_customer_id: null, external_customer_id: null };
  return { amount_cents: charge_amount_cents, tax_amount_cents, currency, ...nobody };
}
