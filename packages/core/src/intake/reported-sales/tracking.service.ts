import {
  attributeRecordedSale,
  attributeRefundedSale,
  lockUnknownCustomerOf,
  type SaleClues,
} from '../../attribution/attribute.ts';
import { lockCustomer } from '../../attribution/claims/customers.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import { findCommissionOfSale, findPayoutIdOf, plainCommission } from '../../ledger/commissions/commission.queries.ts';
import { isPayable } from '../../ledger/commissions/commission.transitions.ts';
import { isLive } from '../../ledger/sales/sale-mode.ts';
import { Sale } from '../../ledger/sales/sale.entity.ts';
import { getSale, type PartiesOfSale, saleRecord } from '../../ledger/sales/sale.queries.ts';
import type { RecordRefund, RecordSale } from '../../ledger/sales/sale.schema.ts';
import { setSaleReport } from '../../ledger/sales/sale.transitions.ts';
import { namesInReport } from '../../ledger/sales/wire-names.ts';
import { assertHappened } from '../../platform/call/assert-happened.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { visibleTo } from '../../platform/call/mode.ts';
import { find, get, known, load } from '../../platform/call/records.ts';
import { newMerchantColumns, saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { findCustomers, identitiesOf, type KnownCustomer } from '../../program/customers/customer.service.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { mayBePurged } from '../../program/referrals/retention.ts';
import type { StatedLine } from '../../rewards/worth/sale-lines.ts';
import { learnFromReport } from '../sales/amend-sale.ts';
import { recordRefund } from '../sales/record-refund.ts';
import { recordNewSale } from '../sales/record-sale.ts';
import { type ComparedReport, contradictions } from './compare-report.ts';
import { findReport } from './find-report.ts';
import type { RecordedSale } from './tracking.schema.ts';

/** The current state of a reported sale or refund. `created` is false if an earlier report recorded the same sale or refund. */
export interface ReportOutcome {
  record: RecordedSale;
  created: boolean;
}

/**
 * Records a sale that a merchant's server reports. Reporting the same `external_id` with the same values again changes nothing.
 *
 * @throws VALIDATION_ERROR when the report names neither a customer nor a referral nor a code, the tax exceeds the charge, or the time of the
 * charge is in the future; CONFLICT when an earlier report with this `external_id` had another amount, tax, currency or customer
 */
export async function trackSale(ctx: WriteCtx, input: RecordSale): Promise<ReportOutcome> {
  const { referral_id, customer_email, psp_customer_id, external_customer_id, promo_code } = input;
  const namesCustomer = Boolean(customer_email || psp_customer_id || external_customer_id);
  if (!referral_id && !namesCustomer && !promo_code) {
    throw invalid(
      'referral_id',
      'Send at least one of referral_id, customer_email, psp_customer_id, external_customer_id and promo_code.',
      'required',
    );
  }
  if (input.tax_amount_cents > input.amount_cents) throw invalid('tax_amount_cents', 'Must not exceed amount_cents.', 'too_big');
  assertHappened(ctx, 'charged_at', input.charged_at);
  const names = { external_id: input.external_id, ...namesInReport(input) };
  const isOnlyEvidence = !namesCustomer && !promo_code && names.names.length === 0 && names.group === null;
  const { saleId, referral, referredId, claimants } = await findReport(ctx, names, referral_id, isOnlyEvidence);
  if (referral_id && referral === null) assertPurged(ctx, referral_id);
  if (saleId !== null) {
    const sale = await find(ctx, Sale, saleId);
    if (!sale) throw invalid('external_id', 'This sale is of test mode, which a key of live mode does not see.', 'other_mode');
    if (sale.external_id !== input.external_id) await adoptSale(ctx, sale, input, { referral, referredId });
    else await assertSameReport(ctx, sale, input);
    return { record: await recordedSale(ctx, sale.id, sale.no_commission_reason), created: false };
  }
  const { sale, commission } = await recordNewSale(ctx, {
    external_id: input.external_id,
    names: names.names,
    name_of_group: names.group,
    report: reportOf(input),
    metadata: newMerchantColumns(input).metadata,
    namedByMerchant: referral !== null,
    referral,
    referredId,
    claimants,
    customer: customerIn(ctx, input),
    ...(promo_code ? { promo_code } : {}),
    charge_amount_cents: input.amount_cents,
    tax_amount_cents: input.tax_amount_cents,
    currency: input.currency,
    ...(input.description ? { description: input.description } : {}),
    ...(input.charged_at ? { charged_at: input.charged_at } : {}),
    lines: linesIn(input),
  });
  return { record: await newRecordedSale(ctx, sale, commission), created: true };
}

/** Returns the details of the customer in a report. */
function customerIn(
  { now }: WriteCtx,
  { customer_email, customer_name, psp_customer_id, external_customer_id, charged_at }: RecordSale,
): KnownCustomer {
  const shown_at = charged_at ?? now;
  return { source: 'merchant', shown_at, email: customer_email, name: customer_name, psp_customer_id, external_customer_id };
}

/** Returns the lines of a report. */
function linesIn({ lines = [] }: RecordSale): StatedLine[] {
  return (lines ?? []).map(({ price, interval, ...line }) => ({ ...line, price: price ?? null, interval: interval ?? null }));
}

/** Returns the values of a report by which a later report is compared. */
function reportOf({ amount_cents, tax_amount_cents, currency, ...reported }: RecordSale): ComparedReport {
  return {
    amount_cents,
    tax_amount_cents,
    currency,
    customer_email: reported.customer_email?.toLowerCase() || null,
    psp_customer_id: reported.psp_customer_id || null,
    external_customer_id: reported.external_customer_id || null,
  };
}

/**
 * Throws CONFLICT, with the stored sale, if the report contradicts the earlier report of the sale (docs/rules/intake.md#reported-sales). The
 * amounts of the sale itself may come from the provider, so the report is compared with the earlier report. A sale that an older version
 * recorded has no report: its own values count, unless they come from the provider.
 */
async function assertSameReport(ctx: WriteCtx, sale: Sale, input: RecordSale): Promise<void> {
  const reported = reportOf(input);
  const known = sale.report ?? (sale.livemode === null ? valuesOf(sale) : null);
  if (known === null) return;
  const isSameCustomer =
    sale.customer_id === null ||
    (await isErased(ctx, sale.customer_id)) ||
    (await findCustomers(ctx, identitiesOf(customerIn(ctx, input)))).customers.some(({ id }) => id === sale.customer_id);
  // A report with the values to which the sale was corrected agrees with the sale.
  const isCorrected = sale.livemode === null && hasAmountsOf(reported, sale);
  const fields = contradictions(isCorrected ? { ...known, ...amountsOf(reported) } : known, reported, isSameCustomer);
  if (fields.length === 0) return;
  const { reason: _, ...stored } = await recordedSale(ctx, sale.id, sale.no_commission_reason);
  throw new DomainError(
    'CONFLICT',
    `A sale with this external_id was reported with other values (${fields.join(', ')}). The stored sale is in details.sale. To correct it, change its amounts (PATCH /api/v1/sales/{id}), report a refund (POST /track/refunds), adjust what the affiliate earned with a manual commission (POST /api/v1/commissions), or change the customer (PATCH /api/v1/referrals/{id}). Report another sale under its own external_id.`,
    { reason: 'other_values', fields, ...stored },
  );
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

function valuesOf({ charge_amount_cents, tax_amount_cents, currency }: Sale): ComparedReport {
  const nobody = { customer_email: null, psp_customer_id: null, external_customer_id: null };
  return { amount_cents: charge_amount_cents, tax_amount_cents, currency, ...nobody };
}

/**
 * Adds the merchant's report (external id and named referral) to a sale that the payment provider reported first. Keeps the provider's
 * amounts.
 *
 * @throws VALIDATION_ERROR when the merchant reported the payment before, under another external id
 */
async function adoptSale(ctx: WriteCtx, sale: Sale, input: RecordSale, { referral, referredId }: NamedReferral): Promise<void> {
  const held = await lockUnknownCustomerOf(ctx, sale.id);
  await get(ctx, Sale, sale.id);
  if (sale.external_id !== null)
    throw invalid('external_id', 'This payment was reported before, under another external_id. Use that external_id.', 'taken');
  saveMerchantData(ctx, Sale, protectedBy(held, sale), { metadata: input.metadata });
  const code = input.promo_code ?? undefined;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, { code, livemode: isLive(sale) }, sale.charged_at);
  const ofNobody = promo === null ? (code ?? null) : null;
  setSaleReport(ctx, protectedBy(held, sale), {
    external_id: input.external_id,
    named_referral_id: referral?.id ?? null,
    promo_code: ofNobody,
    report: { ...reportOf(input), charged_at: input.charged_at ?? ctx.now },
  });
  const clues = { customer: customerIn(ctx, input), referral, referredId, promo };
  const reported = { lines: linesIn(input), metadata: input.metadata ?? {}, code: ofNobody };
  await attributeRecordedSale(ctx, sale.id, clues, { learn: () => learnFromReport(ctx, sale.id, reported) });
}

/**
 * Records a refund that a merchant's server reports. Reporting the same `refund_id` with the same amount again changes nothing. The refund of a
 * sale that repeats a payment is a refund of the sale that has the payment, and of its lines with the same products.
 *
 * @throws VALIDATION_ERROR for an unknown sale, and when all refunds together would exceed the charge; CONFLICT when an earlier report with
 * this `refund_id` had another amount; LostRace when the sale's customer
 * has changed since the customer was locked
 */
export async function trackRefund(ctx: WriteCtx, input: RecordRefund): Promise<ReportOutcome> {
  const sales = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const [reported] = await load(ctx, Sale, sales.where('external_id', '=', input.external_id));
  if (!reported || !visibleTo(ctx, reported))
    throw invalid('external_id', 'No sale has this external_id. Report the sale first.', 'not_found');
  const ofPayment = await saleOfPayment(ctx, reported);
  const { id: saleId, customer_id: lockedId } = ofPayment;
  // The customer is locked before everything else, as attribution requires.
  const customer = lockedId === null ? null : await lockCustomer(ctx, lockedId);
  const { sale, created, changed } = await recordRefund(ctx, saleId, {
    external_id: input.refund_id,
    amount_cents: input.amount_cents,
    reported_sale_id: reported.id,
    lines: input.lines ?? [],
  });
  // `recordRefund` has read the sale again under its lock. In the meantime the customer may have become known, or may have been merged into
  // another one.
  if (sale.customer_id !== lockedId) throw new LostRace();
  if (changed) await attributeRefundedSale(ctx, customer, sale);
  if (!created) await assertSameRefund(ctx, sale, input);
  return { record: await recordedSale(ctx, sale.id, sale.no_commission_reason), created };
}

/** Returns the sale that has the payment of a reported sale: the reported sale, or the one whose payment it repeats. */
async function saleOfPayment(ctx: WriteCtx, reported: Sale): Promise<Sale> {
  let sale = reported;
  while (sale.repeats_sale_id !== null) sale = await get(ctx, Sale, sale.repeats_sale_id);
  return sale;
}

/** Throws CONFLICT, with the stored refund and sale, if the earlier report of the refund had another amount. */
async function assertSameRefund(ctx: WriteCtx, sale: Sale, { refund_id, amount_cents }: RecordRefund): Promise<void> {
  const known = await ctx.db
    .selectFrom('refund')
    .select('amount_cents')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', refund_id)
    .executeTakeFirstOrThrow();
  if (known.amount_cents === amount_cents) return;
  const { reason: _, ...stored } = await recordedSale(ctx, sale.id, sale.no_commission_reason);
  throw new DomainError(
    'CONFLICT',
    'A refund with this refund_id was reported with another amount_cents. The stored refund is in details.refund. To refund more, report another refund under its own refund_id. To correct what the affiliate earned, enter a manual commission (POST /api/v1/commissions).',
    { reason: 'other_values', fields: ['amount_cents'], refund: { refund_id, amount_cents: known.amount_cents }, ...stored },
  );
}

type NamedReferral = Pick<SaleClues, 'referral' | 'referredId'>;

/**
 * Accepts an unknown referral id only if its referral may have been purged: the merchant may keep the id longer than this service does. The
 * sale is then recorded as if it named no referral. Throws VALIDATION_ERROR.
 */
function assertPurged(ctx: WriteCtx, referralId: string): void {
  if (!mayBePurged(referralId, ctx.now)) throw invalid('referral_id', 'No such referral.', 'not_found');
}

/** Builds the response for a sale that this transaction created, from the records in memory instead of reading them again. */
async function newRecordedSale(ctx: WriteCtx, sale: Sale, earned: Commission | null): Promise<RecordedSale> {
  const payoutId = earned !== null && isPayable(earned) ? await findPayoutIdOf(ctx, earned.id) : null;
  return {
    sale: saleRecord(sale, await partiesOf(ctx, sale)),
    commission: earned && plainCommission(earned, payoutId),
    reason: earned ? null : sale.no_commission_reason,
  };
}

/** Returns the records that a new sale shows. Attribution has loaded them. */
async function partiesOf(ctx: WriteCtx, { referral_id, affiliate_id }: Sale): Promise<PartiesOfSale> {
  const referral = referral_id === null ? null : await known(ctx, Referral, referral_id);
  const affiliate = affiliate_id === null ? null : await known(ctx, Affiliate, affiliate_id);
  const customer = referral?.customer_id ? await known(ctx, Customer, referral.customer_id) : null;
  return { referral, affiliate, customer };
}

async function recordedSale(ctx: WriteCtx, saleId: string, reason: RecordedSale['reason']): Promise<RecordedSale> {
  const earned = await findCommissionOfSale(ctx, saleId);
  if (!earned?.sale) return { sale: await getSale(ctx, saleId), commission: null, reason };
  const { sale, ...commission } = earned;
  return { sale, commission, reason: null };
}
