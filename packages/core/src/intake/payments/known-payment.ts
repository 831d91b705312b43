/** The sales of a payment that a source tells, and what the source told before. Makes these sales agree with the source when it tells the payment again. */
import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { SaleNews } from '../../attribution/attribute.ts';
import type { Payer } from '../../attribution/decide/facts.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import { type Commission, IS_OF_SALE } from '../../ledger/commissions/commission.entity.ts';
import { refundedAmount } from '../../ledger/sales/refund.ts';
import { IS_IMPORTED_SALE, type PaidOutside, type Sale, type SaleReport } from '../../ledger/sales/sale.entity.ts';
import {
  amendedSale,
  isRefunded,
  markSaleRefunded,
  setImportedRefunds,
  setRefundedLines,
  setSaleDisputed,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { keyOf } from '../../program/customer-identities/customer-identity.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import { isOwnMode } from '../../sources/port/port.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { amendRecordedSale } from '../sales/amend-sale.ts';
import {
  type ChargedPayment,
  codeOfPayment,
  customerOfPayer,
  factsOf,
  isDisputed,
  refundedProducts,
  returnedTotal,
  returnedUntil,
  taxedRefunds,
  withoutReportedShipping,
} from '../sales/facts-of-payment.ts';
import { findRefundedLines, findReportedRefunds, type LockedSale } from '../sales/record-refund.ts';
import { lockNames, type Referrer } from '../sales/record-sale.ts';
import { referrerOf } from './referral-of-reference.ts';

/** A sale that has a name of a payment. */
interface KnownSale extends NamingSale {
  names: string[];
  referral_id: string | null;
  named_referral_id: string | null;
  paid_outside: PaidOutside | null;
  report: SaleReport | null;
  /** True if the sale has a name of this payment alone, not only that of its group. */
  is_own: boolean;
  /** Version of the last snapshot that a source told; null if only the merchant reported the sale. */
  version: string | null;
  payer: Payer | null;
}

/** A payment that a source tells, with the sales that name it and its referrer. */
interface FoundPayment extends Referrer {
  report: null;
  sales: KnownSale[];
}

/** Locks the names of a payment, and finds its sales and its referrer. Returns null if the source has told something newer of it before. */
export async function findTold(ctx: WriteCtx, seen: PaymentSeen): Promise<FoundPayment | null> {
  await lockNames(ctx, seen, null);
  const sales = await findKnownSales(ctx, seen);
  if (sales.some(({ version }) => version !== null && version > seen.version)) return null;
  return { report: null, sales, ...(await referrerOf(ctx, seen, sales.flatMap(referralsOf))) };
}

/**
 * Returns a payment of which a source tells only what went back, with the charge of its imported sale: it was charged before the source was connected.
 * Null if no imported sale names the payment.
 */
export async function withImportedCharge(ctx: WriteCtx, seen: PaymentSeen): Promise<ChargedPayment | null> {
  if (seen.refunds.length === 0 && seen.disputes.length === 0) return null;
  const { rows } = await sql<Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents' | 'currency' | 'charged_at'>>`
    select charge_amount_cents, tax_amount_cents, currency, wire_time(charged_at) as charged_at from sale
    where account_id = ${ctx.accountId} and ${IS_IMPORTED_SALE} and id in (
      select sale_id from payment_name where account_id = ${ctx.accountId} and name = any (${seen.names}::text[]) and not of_group) limit 1`.execute(
    ctx.db,
  );
  const [sale] = rows;
  if (sale === undefined) return null;
  const { charge_amount_cents: amount, tax_amount_cents: tax, currency, charged_at: at } = sale;
  return { ...seen, charged: { amount: { amount, currency }, tax: { amount: tax, currency }, at } };
}

/** Returns the referrals that a known sale, or what was told of its payment before, names. */
function referralsOf({ referral_id, payer }: KnownSale): string[] {
  return [...(referral_id === null ? [] : [referral_id]), ...(payer?.references ?? [])];
}

/**
 * Lists the sales that name a payment, under the lock on its names (`lockNames`). There are several if its names were reported separately, before the
 * source told that all of them identify one payment.
 *
 * A report that names only the group, e.g. an invoice, names this payment if no other payment of the group could be the sale's own.
 */
async function findKnownSales(ctx: WriteCtx, { names, group, connectionId }: PaymentSeen): Promise<KnownSale[]> {
  const all = group === null ? names : [...names, group.name];
  const { rows } = await sql<KnownSale>`
    select sale.id, external_id, charge_amount_cents, repeats_sale_id, sale.names, referral_id, named_referral_id, paid_outside, report, version, payer, is_own,
      ${IS_IMPORTED_SALE} as is_imported,
      (select json_build_object('state', state, 'voided_by_refund', voided_by_refund) from commission
        where commission.sale_id = sale.id and ${IS_OF_SALE} and not superseded) as commission
    from (
      select sale_id, bool_or(not of_group) as is_own from payment_name
      where account_id = ${ctx.accountId} and name = any (${all}::text[])
        and (connection_id is null or connection_id is not distinct from ${connectionId}::text)
      group by sale_id
    ) named join sale on sale.id = named.sale_id left join payment on payment.sale_id = sale.id
    order by sale.id`.execute(ctx.db);
  // A sale that has the names may repeat the payment of a report that names only the group.
  const repeated = new Set(rows.flatMap(({ is_own, repeats_sale_id }) => (is_own ? [repeats_sale_id] : [])));
  const own = rows.filter(({ id, is_own }) => is_own || repeated.has(id));
  const ofGroup = rows.filter((row) => !row.is_own && row.external_id !== null && row.names.length === 0 && row.version === null);
  if (own.length === 0) own.push(...ofGroup.filter(({ repeats_sale_id }) => repeats_sale_id === null).slice(0, 1));
  const isTold = own.some(({ version }) => version !== null);
  const told = rows.filter(({ version }) => version !== null).length + (isTold ? 0 : 1);
  if (own.length === 0 || group === null || told < group.payments) return own;
  const ids = new Set(own.map(({ id }) => id));
  const isRepeat = ({ repeats_sale_id }: KnownSale) => repeats_sale_id === null || ids.has(repeats_sale_id);
  return [...own, ...ofGroup.filter((row) => !ids.has(row.id) && isRepeat(row))];
}

/** A sale of a payment, with the names that it gets. */
interface NamedSale {
  id: string;
  names: string[];
  named_referral_id: string | null;
  repeats_sale_id: string | null;
}

/**
 * Makes one of the sales that name a payment the sale of the payment (`saleOfPayment`). The others repeat the payment. They come first, so that the sale
 * of the payment is decided when they are worth nothing any more. Only one sale can have a name, so the sale of the payment gets those that no other has.
 * It also gets the referral that only another report named.
 */
function salesOfPayment(known: readonly KnownSale[], names: readonly string[], cents: number): NamedSale[] {
  const { id: saleId, named_referral_id: named } = saleOfPayment(known as [KnownSale, ...KnownSale[]], cents);
  const others = known.filter(({ id }) => id !== saleId).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const taken = new Set(others.flatMap((sale) => sale.names));
  return [
    ...others.map(({ id, named_referral_id }) => ({ id, names: [], named_referral_id, repeats_sale_id: saleId })),
    {
      id: saleId,
      names: names.filter((name) => !taken.has(name)),
      named_referral_id: named ?? others.find(({ named_referral_id }) => named_referral_id !== null)?.named_referral_id ?? null,
      repeats_sale_id: null,
    },
  ];
}

/** Stores what a source tells of the payment of a sale. Sales that had the payment before lose it. */
export function keepPayment(
  ctx: WriteCtx,
  saleId: string,
  seen: PaymentSeen,
  { referral, formerIds }: { referral: Referral | null; formerIds: readonly string[] },
): void {
  const { references, codes, way, refunds, disputes, version, names } = seen;
  const own = references.filter(({ ofPayment }) => ofPayment).map(({ value }) => value);
  const { email, name: _, ...ids } = customerOfPayer(seen, ctx.now);
  const told = {
    version,
    livemode: isOwnMode(ctx.accountId, seen.mode),
    currency: seen.charged!.amount.currency,
    names,
    payer: JSON.stringify({
      ids: identitiesOf(ids).map(keyOf),
      emails: identitiesOf({ email }).map(keyOf),
      references: referral === null ? own.toSorted().slice(0, 1) : [referral.id],
    } satisfies Payer),
    // A value that named this referral, or its link, has not gone astray.
    stray_references: [
      ...new Set(references.filter(({ place }) => referral === null || place !== 'checkout').map(({ value }) => value)),
    ],
    codes: [...new Set(codes.flatMap(({ id, text }) => id ?? text ?? []))],
    way,
    refunds: JSON.stringify(refunds),
    disputes: JSON.stringify(disputes),
    updated_at: ctx.now,
  };
  const { db, accountId: account_id } = ctx;
  if (formerIds.length > 0) post(db, db.deleteFrom('payment').where('sale_id', 'in', formerIds).compile());
  const kept = db
    .insertInto('payment')
    .values({ ...told, sale_id: saleId, account_id })
    .onConflict((conflict) => conflict.column('sale_id').doUpdateSet(told));
  post(db, kept.compile());
}

/** A sale that names a payment, with its current commission. */
export interface NamingSale {
  id: string;
  external_id: string | null;
  charge_amount_cents: number;
  repeats_sale_id: string | null;
  commission: Pick<Commission, 'state' | 'voided_by_refund'> | null;
  is_imported: boolean;
}

/**
 * Returns the sale of a payment that several sales name (docs/rules/intake.md#the-same-sale-twice): one that was imported, otherwise one whose commission is paid, otherwise one whose
 * commission no person has voided; of several, one that the merchant reported; of several, the first. A sale that was reduced to zero because the
 * payment has another sale stays so. The result does not depend on the order of the sales.
 *
 * @param amountCents amount of the payment
 */
export function saleOfPayment<S extends NamingSale>(sales: readonly [S, ...S[]], amountCents: number): S {
  const ranks = ({ id, external_id, charge_amount_cents, repeats_sale_id, commission, is_imported }: S): (number | string)[] => [
    is_imported ? 0 : 1,
    repeats_sale_id !== null || (charge_amount_cents === 0 && amountCents > 0) ? 1 : 0,
    commission?.state === 'paid' ? 0 : commission?.state === 'voided' && !commission.voided_by_refund ? 2 : 1,
    external_id === null ? 1 : 0,
    id,
  ];
  return sales.reduce((best, next) => (isBefore(ranks(next), ranks(best)) ? next : best));
}

function isBefore(one: readonly (number | string)[], other: readonly (number | string)[]): boolean {
  const first = one.findIndex((rank, index) => rank !== other[index]);
  return first >= 0 && one[first]! < other[first]!;
}

/** The amounts of a sale whose payment has another sale. */
const NOTHING = { charge_amount_cents: 0, tax_amount_cents: 0, tax_ignored: false };

/**
 * Keeps what the source tells of a payment, and returns the news about the sales that name it. A repeated sale is reduced to zero and has no refunds,
 * because the sale of the payment has them.
 */
export async function amend(
  ctx: WriteCtx,
  told: ChargedPayment,
  { sales: known, referral, referredId }: FoundPayment,
  paid_outside: PaidOutside | null,
): Promise<SaleNews[]> {
  const seen = withoutReportedShipping(told, known.find(({ report }) => report !== null)?.report ?? null);
  const { at, amount } = seen.charged;
  const facts = factsOf(ctx.accountId, seen, paid_outside);
  // Looked up even if the merchant reported the sale first, because the source's data take precedence.
  const promo = await findAttributingCode(ctx.db, ctx.accountId, codeOfPayment(ctx.accountId, seen), at);
  const clues = { customer: customerOfPayer(seen, at), referral, referredId, promo, at };
  const sales = salesOfPayment(known, seen.names, amount.amount);
  const ids = sales.map(({ id }) => id);
  keepPayment(ctx, ids.at(-1)!, seen, { referral, formerIds: ids.slice(0, -1) });
  return sales.map(({ id: saleId, ...named }) => {
    const isRepeated = named.repeats_sale_id !== null;
    const amendment = { ...facts, ...(isRepeated && NOTHING), ...named };
    const lines = isRepeated ? [] : seen.lines;
    const refund = (locked: LockedSale) => applyRefunds(ctx, seen, locked, { isRepeated, isNamedTwice: sales.length > 1 });
    return {
      saleId,
      clues,
      foresee: (sale) => amendedSale(sale, amendment),
      learn: () => amendRecordedSale(ctx, saleId, { amendment, lines, refund }),
    };
  });
}

/** Returns what the merchant has decided about a payment outside the provider when it became known; null for other payments. */
export function paidOutside(
  seen: PaymentSeen,
  known: readonly Pick<KnownSale, 'paid_outside'>[],
  outside: OutsidePayments,
): PaidOutside | null {
  if (!seen.paidOutside) return null;
  const decided = known.find(({ paid_outside }) => paid_outside !== null)?.paid_outside;
  return decided ?? (outside === 'exclude' ? 'excluded' : 'counted');
}

/**
 * Applies the refunds and disputes of a payment to a sale. Returns true if they have changed.
 *
 * @param of.isNamedTwice true if another sale names the payment, so that the merchant may have reported refunds for a sale of the source, too
 */
export async function applyRefunds(
  ctx: WriteCtx,
  seen: Pick<PaymentSeen, 'refunds' | 'disputes'>,
  { sale }: LockedSale,
  { isRepeated, isNamedTwice }: { isRepeated: boolean; isNamedTwice: boolean },
): Promise<boolean> {
  const { creditNote, creditNoteTax } = taxedRefunds(seen.refunds, sale.currency);
  const reported = sale.external_id === null && !isNamedTwice ? [] : await findReportedRefunds(ctx, sale.id);
  const refunds = { ...refundedAmount(sale, returnedTotal(seen), reported), creditNote, creditNoteTax };
  const byLine = await findRefundedLines(ctx, sale, reported, refundedProducts(seen.refunds));
  if (byLine !== null) setRefundedLines(ctx, sale, byLine);
  // The tool from which the sale was imported has taken earlier refunds into account.
  if (sale.imported_at !== null)
    setImportedRefunds(ctx, sale, { before: returnedUntil(seen, sale.imported_at), total: refunds.total });
  const isKnown = isRefunded(sale, refunds);
  if (!isKnown) markSaleRefunded(ctx, sale, refunds);
  const disputed = !isRepeated && isDisputed(seen);
  const isSame = isKnown && byLine === null && sale.disputed === disputed;
  setSaleDisputed(ctx, sale, disputed);
  return !isSame;
}
