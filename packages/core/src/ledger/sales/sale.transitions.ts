/**
 * All state changes of a sale: recorded, attributed, amended, refunded (docs/rules/ledger.md#sales). Follows the pattern described in
 * `commission.transitions.ts`. The affiliate of a sale is locked before the sale (`lockSale`). No function here changes the commission of the
 * sale: `earnCommission` creates it and `settleCommission` adapts it afterwards.
 */
import { isDeepStrictEqual } from 'node:util';
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { draft, insert, insertParts, newRecordColumns, type Parts, save, store } from '../../platform/call/records.ts';
import { apportion } from '../../platform/money/money.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import type { Line } from '../../rewards/worth/evaluate.ts';
import { Refund } from './refund.ts';
import { type ContestedSale, type NoCommissionReason, Sale, type SaleLimits, type SaleReport } from './sale.entity.ts';

/** Facts about the payment of a sale. `names` are those that no other sale has. */
export type PaymentFacts = Pick<
  Sale,
  | 'connection_id'
  | 'names'
  | 'name_of_group'
  | 'livemode'
  | 'charge_amount_cents'
  | 'tax_amount_cents'
  | 'tax_ignored'
  | 'currency'
  | 'charged_at'
  | 'excluded'
  | 'paid_outside'
>;

/** Further facts about a sale when it is recorded. */
type RecordedWith = Pick<
  Sale,
  | 'customer_id'
  | 'external_id'
  | 'report'
  | 'named_referral_id'
  | 'promo_code'
  | 'psp_promotion_code_id'
  | 'disputed'
  | 'description'
  | 'metadata'
>;

/**
 * Creates a sale that is not attributed to a referral yet, as a draft: attribution decides its first values, and `storeSale` writes it before
 * other records refer to it.
 */
export function draftSale(ctx: WriteCtx, known: PaymentFacts & RecordedWith, lines: readonly Line[]): Locked<Sale> {
  const sale = draft(ctx, Sale, {
    ...newRecordColumns(ctx, newId('sale', ctx.clock.now())),
    ...known,
    referral_id: null,
    affiliate_id: null,
    refund_amount_cents: 0,
    credit_note_refund_cents: 0,
    credit_note_tax_cents: 0,
    no_commission_reason: 'no_referral',
    limits: null,
    assigned_referral_id: null,
    reconsidered_at: null,
    redated_from: null,
    repeats_sale_id: null,
    uncounted_refund_cents: null,
    contested: null,
    itemized: lines.length > 0,
    imported_at: null,
    imported_refund_cents: null,
  });
  if (lines.length > 0) linesOfDrafts.set(sale, lines);
  return sale;
}

/** The lines of drafts, which are written with them. */
const linesOfDrafts = new WeakMap<Sale, readonly Line[]>();

/** Returns the lines of a draft. Null for a stored sale, and for a draft without known lines. */
export function linesOfDraft(sale: Sale): readonly Line[] | null {
  return linesOfDrafts.get(sale) ?? null;
}

/** Records the lines of a sale instead of those that are known. The caller sets their refunds again. */
export function itemizeSale(ctx: WriteCtx, sale: Locked<Sale>, lines: readonly Line[]): void {
  if (sale.itemized) post(ctx.db, sql`delete from sale_line where sale_id = ${sale.id}`.compile(ctx.db));
  save(ctx, Sale, sale, { itemized: true, updated_at: ctx.now });
  insertParts(ctx, partsOf(sale, lines));
}

/** Columns of the lines of a sale that are known at its charge. */
const LINE_COLUMNS = ['line', 'product', 'price', 'name', 'interval', 'quantity', 'net_cents', 'recorded_cents'] as const;

function partsOf({ id, account_id }: Sale, lines: readonly Line[]): Parts {
  return {
    table: 'sale_line',
    common: { sale_id: id, account_id, refunded_cents: 0 },
    columns: LINE_COLUMNS,
    rows: lines.map(({ product, price, name, interval, quantity, net_cents, recorded_cents }, line) => ({
      line,
      product: product ?? undefined,
      price: price ?? undefined,
      name: name ?? undefined,
      interval: interval ?? undefined,
      quantity,
      net_cents,
      recorded_cents,
    })),
  };
}

/** Returns the lines of a sale in their order. */
export function findSaleLines({ db }: Pick<WriteCtx, 'db'>, { id }: Sale) {
  return db
    .selectFrom('sale_line')
    .select(['product', 'price', 'interval', 'quantity', 'net_cents', 'refunded_cents'])
    .where('sale_id', '=', id)
    .orderBy('line')
    .execute();
}

/** Sets the sums of the refunds that name each line of a sale. */
export function setRefundedLines(ctx: WriteCtx, sale: Locked<Sale>, refunded: readonly number[]): void {
  const set = sql`
    update sale_line set refunded_cents = now.refunded_cents
    from unnest(${refunded.map((_, i) => i)}::int[], ${[...refunded]}::bigint[]) as now (line, refunded_cents)
    where sale_line.sale_id = ${sale.id} and sale_line.line = now.line`;
  post(ctx.db, set.compile(ctx.db));
}

/**
 * Divides the amount of a sale, after it was corrected, among its lines in proportion to their recorded amounts, so that former corrections make no
 * difference. Does nothing for a sale without known lines.
 */
export async function apportionSaleLines(ctx: WriteCtx, sale: Locked<Sale>): Promise<void> {
  if (!sale.itemized) return;
  const { rows } = await sql<{ weight: number }>`
    select coalesce(recorded_cents, net_cents) as weight from sale_line where sale_id = ${sale.id} order by line`.execute(ctx.db);
  const nets = apportion(
    sale.charge_amount_cents - sale.tax_amount_cents,
    rows.map(({ weight }) => weight),
  );
  const divided = sql`
    update sale_line set net_cents = now.net_cents, recorded_cents = coalesce(recorded_cents, sale_line.net_cents)
    from unnest(${nets.map((_, i) => i)}::int[], ${nets}::bigint[]) as now (line, net_cents)
    where sale_line.sale_id = ${sale.id} and sale_line.line = now.line`;
  post(ctx.db, divided.compile(ctx.db));
}

/** Writes the draft of a sale, and its lines. Does nothing if the sale is stored already. */
export function storeSale(ctx: WriteCtx, sale: Sale): void {
  store(ctx, Sale, sale, partsOf(sale, linesOfDraft(sale) ?? []));
  linesOfDrafts.delete(sale);
}

/** Why an attributed sale earns nothing (null if it may earn), and the limits of the campaign that apply to it. */
export interface Earning {
  refusal: NoCommissionReason | null;
  limits: SaleLimits | null;
}

/** Records who would earn from a sale whose commission is paid, or that the facts do not contradict the payment (null). */
export function setSaleContested(ctx: WriteCtx, sale: Locked<Sale>, contested: ContestedSale | null): void {
  const isSame = (['affiliate_id', 'reason', 'amount_cents'] as const).every(
    (name) => sale.contested?.[name] === contested?.[name],
  );
  if (!isSame) save(ctx, Sale, sale, { contested, updated_at: ctx.now });
}

/** Records that the payment of a contested sale stands, although facts contradict it. The sale is contested again when other facts do. */
export function keepSalePayment(ctx: WriteCtx, sale: Locked<Sale>, contested: ContestedSale): void {
  save(ctx, Sale, sale, { contested: { ...contested, kept: true }, updated_at: ctx.now });
}

/** Attributes a sale to a referral and its affiliate. */
export function markSaleAttributed(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  referral: Pick<Referral, 'id' | 'affiliate_id'>,
  { refusal, limits }: Earning,
): void {
  save(ctx, Sale, sale, {
    ...(sale.referral_id !== referral.id && {
      referral_id: referral.id,
      affiliate_id: referral.affiliate_id,
      updated_at: ctx.now,
    }),
    no_commission_reason: refusal,
    ...(limits !== null && { limits }),
  });
}

/** Removes the attribution of a sale. `reason` says why nobody earns a commission from it. */
export function markSaleUnattributed(ctx: WriteCtx, sale: Locked<Sale>, reason: NoCommissionReason): void {
  save(ctx, Sale, sale, { referral_id: null, affiliate_id: null, no_commission_reason: reason, updated_at: ctx.now });
}

/** Sets the customer of a sale that has none. Never replaces a customer. */
export function setSaleCustomer(ctx: WriteCtx, sale: Locked<Sale>, customerId: string | null): void {
  if (sale.customer_id === null) save(ctx, Sale, sale, { customer_id: customerId });
}

/** Takes the customer away from a sale, because a fact names another one for it than that of its referral. */
export function forgetSaleCustomer(ctx: WriteCtx, sale: Locked<Sale>): void {
  save(ctx, Sale, sale, { customer_id: null, updated_at: ctx.now });
}

/** After the customer `from` was merged into the customer `to`, moves all sales of `from` to `to`. Returns the ids of the sales. */
export async function moveSalesToCustomer(ctx: WriteCtx, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sale set customer_id = ${to}, updated_at = ${ctx.now} where customer_id = ${from} returning id`.execute(ctx.db);
  for (const { id } of rows) ctx.records.noteChanged('sale', id, { customer_id: from });
  return rows.map(({ id }) => id);
}

/**
 * Adds the merchant's report to a sale that the payment provider reported first.
 *
 * @param reported.promo_code a code that belongs to no affiliate; null if there is none
 */
export function setSaleReport(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  {
    external_id,
    named_referral_id,
    promo_code,
    report,
  }: { external_id: string; named_referral_id: string | null; promo_code: string | null; report: SaleReport },
): void {
  save(ctx, Sale, sale, {
    external_id,
    report,
    named_referral_id: sale.named_referral_id ?? named_referral_id,
    promo_code: sale.promo_code ?? promo_code,
    updated_at: ctx.now,
  });
}

/**
 * Records the referral to which a person assigned the sale, and has the sale decided again by the states and terms of now
 * (docs/rules/attribution.md#assigning-by-hand).
 */
export function nameReferral(ctx: WriteCtx, sale: Locked<Sale>, referralId: string): void {
  save(ctx, Sale, sale, { named_referral_id: referralId });
  reconsiderSale(ctx, sale);
}

/** Records that a person assigned the sale to a referral, which facts do not undo. */
export function assignReferral(ctx: WriteCtx, sale: Locked<Sale>, referralId: string): void {
  save(ctx, Sale, sale, { assigned_referral_id: referralId });
}

/** Has the sale decided again, by the states, terms and limits of now. */
export function reconsiderSale(ctx: WriteCtx, sale: Locked<Sale>): void {
  save(ctx, Sale, sale, { reconsidered_at: ctx.now, updated_at: ctx.now });
}

/** Sets the promotion code that attributes the sale. */
export function setSalePromoCode(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  { code, psp_promotion_code_id }: { code: string; psp_promotion_code_id: string | null },
): void {
  save(ctx, Sale, sale, { promo_code: code, psp_promotion_code_id });
}

/** The facts of a payment, and the sale that has the payment if this sale is another report of it. */
export type SaleAmendment = PaymentFacts & Pick<Sale, 'named_referral_id' | 'repeats_sale_id'>;

/**
 * Returns a sale with the facts of its payment: corrected amounts, currency, mode and time, and names that were missing. A sale keeps its names, and
 * stays excluded. The time at which the provider took the money replaces that of the merchant's report (docs/rules/intake.md#time-of-a-charge).
 *
 * @returns the sale itself if nothing changes
 */
export function amendedSale(sale: Sale, amendment: SaleAmendment): Sale {
  const { excluded, charged_at: chargedAt, ...facts } = amendment;
  const { refund_amount_cents: total, credit_note_refund_cents: creditNote, credit_note_tax_cents: creditNoteTax } = sale;
  const amended = {
    ...sale,
    ...facts,
    tax_amount_cents: facts.tax_amount_cents || reportedTax(sale.report, facts),
    names: [...new Set([...sale.names, ...amendment.names])].toSorted(),
    name_of_group: sale.name_of_group ?? amendment.name_of_group,
    excluded: sale.excluded || excluded,
  };
  const isSame = sale.charged_at === chargedAt && isDeepStrictEqual(amended, { ...sale });
  return isSame
    ? sale
    : { ...amended, ...redated(sale, chargedAt), ...refundColumns(amended, { total, creditNote, creditNoteTax }) };
}

/** Returns the tax that a report of the merchant states for a payment of which the source tells none. 0 if the report is about another amount. */
function reportedTax(
  report: SaleReport | null,
  { charge_amount_cents, currency, tax_ignored }: Pick<Sale, 'charge_amount_cents' | 'currency' | 'tax_ignored'>,
): number {
  const isSame = report !== null && report.amount_cents === charge_amount_cents && report.currency === currency;
  return isSame && !tax_ignored ? report.tax_amount_cents : 0;
}

/** Takes the tax of the merchant's report, if the source of the payment tells none. Returns whether it did. */
export function setReportedTax(ctx: WriteCtx, sale: Locked<Sale>): boolean {
  const { charge_amount_cents, tax_amount_cents: known } = sale;
  if (known !== 0) return false;
  return setSaleAmounts(ctx, sale, { charge_amount_cents, tax_amount_cents: reportedTax(sale.report, sale) });
}

/** Saves the corrections of a sale (`amendedSale`). Returns whether anything changed. */
export function amendSale(ctx: WriteCtx, sale: Locked<Sale>, amendment: SaleAmendment): boolean {
  const amended = amendedSale(sale, amendment);
  if (amended === sale) return false;
  save(ctx, Sale, sale, { ...amended, updated_at: ctx.now });
  return true;
}

/** The changes that correct the time of a charge. States, terms and limits are those of the new time, unless a person had the sale decided again. */
function redated({ charged_at, redated_from, reconsidered_at }: Sale, chargedAt: Instant): Partial<Sale> {
  if (charged_at === chargedAt) return {};
  if (reconsidered_at !== null) return { charged_at: chargedAt };
  const decidedFor = redated_from ?? charged_at;
  return { charged_at: chargedAt, redated_from: decidedFor === chargedAt ? null : decidedFor };
}

/** Records for which time of the charge the commission of the sale is decided; null if it is the current one. */
export function setSaleRedatedFrom(ctx: WriteCtx, sale: Locked<Sale>, redatedFrom: Instant | null): void {
  if (sale.redated_from !== redatedFrom) save(ctx, Sale, sale, { redated_from: redatedFrom });
}

/** Corrects the amounts of a sale. Its refunds stay. Returns whether anything changed. */
export function setSaleAmounts(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  amounts: Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents'>,
): boolean {
  const isSame = sale.charge_amount_cents === amounts.charge_amount_cents && sale.tax_amount_cents === amounts.tax_amount_cents;
  if (isSame) return false;
  const { refund_amount_cents: total, credit_note_refund_cents: creditNote, credit_note_tax_cents: creditNoteTax } = sale;
  save(ctx, Sale, sale, { ...amounts, ...refundColumns(amounts, { total, creditNote, creditNoteTax }), updated_at: ctx.now });
  return true;
}

/** All refunds of a sale so far, in cents. */
interface SaleRefunds {
  total: number;
  /** Sum of the refunds for which a credit note states the tax. */
  creditNote: number;
  creditNoteTax: number;
}

/** All refunds of a sale, with those that may be further ones (`refundedAmount`). */
export interface KnownRefunds extends SaleRefunds {
  uncounted: number;
}

/**
 * Sets the refunds of a sale, which cannot exceed the charge. From then on, the amount of the sale follows the current rule for refunds
 * (`saleAmountCents`).
 */
export function markSaleRefunded(ctx: WriteCtx, sale: Locked<Sale>, refunds: KnownRefunds): void {
  const uncounted_refund_cents = refunds.uncounted || null;
  save(ctx, Sale, sale, { ...refundColumns(sale, refunds), uncounted_refund_cents, updated_at: ctx.now });
}

/** A sale that another tool has recorded, with what it says who earned. */
export type ImportedSale = Pick<
  Sale,
  | 'id'
  | 'referral_id'
  | 'affiliate_id'
  | 'customer_id'
  | 'names'
  | 'name_of_group'
  | 'charge_amount_cents'
  | 'tax_amount_cents'
  | 'refund_amount_cents'
  | 'currency'
  | 'charged_at'
  | 'created_at'
>;

/** Records sales whose commissions another tool has decided, under the locks on the names of their payments. */
export async function recordImportedSales(ctx: WriteCtx, sales: readonly ImportedSale[]): Promise<void> {
  await sql`
    insert into sale (id, account_id, referral_id, affiliate_id, customer_id, names, name_of_group, livemode, charge_amount_cents, tax_amount_cents,
      refund_amount_cents, currency, charged_at, imported_at, imported_refund_cents, created_at, updated_at)
    select id, ${ctx.accountId}, referral_id, affiliate_id, customer_id, names, name_of_group, true, charge_amount_cents, tax_amount_cents,
      refund_amount_cents, currency, charged_at, ${ctx.now}, refund_amount_cents, created_at, ${ctx.now}
    from json_to_recordset(${JSON.stringify(sales)}::json) as told (id text, referral_id text, affiliate_id text, customer_id text, names text[],
      name_of_group text, charge_amount_cents bigint, tax_amount_cents bigint, refund_amount_cents bigint, currency text, charged_at timestamptz,
      created_at timestamptz)`.execute(ctx.db);
}

/** Lets another tool have decided what recorded sales earn that have no commission. Their refunds are from before the import. */
export async function markSalesImported(
  ctx: WriteCtx,
  sales: readonly Pick<Sale, 'id' | 'referral_id' | 'affiliate_id' | 'customer_id'>[],
): Promise<void> {
  await sql`
    update sale set referral_id = told.referral_id, affiliate_id = told.affiliate_id, customer_id = coalesce(sale.customer_id, told.customer_id),
      no_commission_reason = null, contested = null, imported_at = ${ctx.now}, imported_refund_cents = sale.refund_amount_cents, updated_at = ${ctx.now}
    from json_to_recordset(${JSON.stringify(sales)}::json) as told (id text, referral_id text, affiliate_id text, customer_id text)
    where sale.account_id = ${ctx.accountId} and sale.id = told.id`.execute(ctx.db);
}

/**
 * Deletes imported sales. Those of which a source or the merchant has told stay, and are not attributed any more.
 *
 * @returns the ids of those that stay
 */
export async function removeImportedSales({ db, accountId, now }: WriteCtx, ids: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sale set imported_at = null, imported_refund_cents = null, referral_id = null, affiliate_id = null, no_commission_reason = 'no_referral',
      updated_at = ${now}
    where account_id = ${accountId} and id = ${ids}
      and (external_id is not null or exists (select from payment where payment.sale_id = sale.id))
    returning id`.execute(db);
  await sql`delete from sale where account_id = ${accountId} and id = ${ids} and imported_at is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Notes the refunds that a source tells from before the import of a sale. The tool from which the sale was imported may have known of more of them, because
 * a source may tell only the time of the last refund. The caller sets all refunds of the sale and settles it.
 */
export function setImportedRefunds(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  { before, total }: { before: number; total: number },
): void {
  const known = Math.max(before, sale.imported_refund_cents ?? 0);
  const imported_refund_cents = Math.min(known, total, sale.charge_amount_cents);
  if (sale.imported_refund_cents !== imported_refund_cents) save(ctx, Sale, sale, { imported_refund_cents });
}

/** Records whether a dispute of the sale is open. The caller settles the sale, which flags or releases the commission. */
export function setSaleDisputed(ctx: WriteCtx, sale: Locked<Sale>, disputed: boolean): void {
  if (sale.disputed !== disputed) save(ctx, Sale, sale, { disputed, updated_at: ctx.now });
}

/** True if the amounts of these refunds are already stored with the sale. */
export function isRefunded(sale: Sale, refunds: KnownRefunds): boolean {
  const columns = refundColumns(sale, refunds);
  return (
    (sale.uncounted_refund_cents ?? 0) === refunds.uncounted &&
    columns.refund_amount_cents === sale.refund_amount_cents &&
    columns.credit_note_refund_cents === sale.credit_note_refund_cents &&
    columns.credit_note_tax_cents === sale.credit_note_tax_cents
  );
}

/**
 * Returns the refund columns of a sale. Limits the refunds, so that neither their total, nor their tax, nor their net part exceeds that of
 * the charge.
 */
function refundColumns(
  { charge_amount_cents: charge, tax_amount_cents: tax }: Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents'>,
  { total, creditNote, creditNoteTax }: SaleRefunds,
) {
  const refunded = Math.min(total, charge);
  const creditNoteRefund = Math.min(creditNote, refunded);
  return {
    refund_amount_cents: refunded,
    credit_note_refund_cents: creditNoteRefund,
    credit_note_tax_cents: Math.max(Math.min(creditNoteTax, creditNoteRefund, tax), creditNoteRefund - (charge - tax)),
  };
}

/** Moves the refunds that the merchant reported for a sale that repeats a payment to the sale of the payment. The caller settles both sales. */
export async function moveRefunds(ctx: WriteCtx, { id }: Locked<Sale>, toSaleId: string): Promise<void> {
  await sql`update refund set sale_id = ${toSaleId}, updated_at = ${ctx.now} where sale_id = ${id}`.execute(ctx.db);
}

/** Creates the record of one refund. The caller updates the totals of the sale with `markSaleRefunded`. */
export function createRefund(
  ctx: WriteCtx,
  sale: Locked<Sale>,
  refund: Pick<Refund, 'external_id' | 'amount_cents' | 'reported_sale_id' | 'lines'>,
): Refund {
  return insert(ctx, Refund, {
    ...newRecordColumns(ctx, newId('refund', ctx.clock.now())),
    sale_id: sale.id,
    repeated: false,
    ...refund,
  });
}

/**
 * Records that the refunds of a sale in doubt are the same as refunds that count. Refunds that are reported later are in doubt again.
 *
 * @param externalIds ids of the refunds that do not count
 */
export async function markRefundsRepeated(ctx: WriteCtx, sale: Locked<Sale>, externalIds: readonly string[]): Promise<void> {
  await sql`
    update refund set repeated = true, updated_at = ${ctx.now}
    where account_id = ${ctx.accountId} and sale_id = ${sale.id} and external_id = any(${externalIds}::text[])`.execute(ctx.db);
  save(ctx, Sale, sale, { uncounted_refund_cents: null, updated_at: ctx.now });
}

/**
 * Records that a second report of the payment names a refund, too. Both reports then mean the same refund, and no refund with another id is
 * the same.
 */
export async function shareRefund(ctx: WriteCtx, { id }: Locked<Sale>, externalId: string): Promise<void> {
  await sql`
    update refund set reported_sale_id = null, repeated = false, updated_at = ${ctx.now}
    where account_id = ${ctx.accountId} and sale_id = ${id} and external_id = ${externalId}`.execute(ctx.db);
}
