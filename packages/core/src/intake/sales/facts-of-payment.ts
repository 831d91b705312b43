/**
 * Pure: a snapshot of a payment in the words of the service's own records; a merchant's report of a sale as such a payment, and how it compares with an
 * earlier report (docs/rules/intake.md#reported-sales).
 */
import type { RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { PaidOutside, Sale, SaleReport } from '../../ledger/sales/sale.entity.ts';
import type { RecordSale } from '../../ledger/sales/sale.schema.ts';
import type { PaymentFacts } from '../../ledger/sales/sale.transitions.ts';
import { namesInReport } from '../../ledger/sales/wire-names.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { MerchantDataChanges } from '../../platform/call/save-merchant-data.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import { isOwnMode, ownMode } from '../../sources/port/port.ts';
import type { DisputeSeen, PaymentSeen, RefundSeen } from '../../sources/port/seen.ts';
import { type Amounts, withoutShipping } from '../../sources/port/without-shipping.ts';
import { isPsp } from '../../sources/psp-wire.ts';

/** A payment of which something was charged. */
export type ChargedPayment = PaymentSeen & { charged: object };

export function isCharged(seen: PaymentSeen): seen is ChargedPayment {
  return seen.charged !== null;
}

/** Returns what a payment says about its sale. */
export function factsOf(accountId: string, seen: ChargedPayment, paid_outside: PaidOutside | null): PaymentFacts {
  const { connectionId, names, group, charged, refunds, excluded } = seen;
  const { amount, tax, at } = charged;
  // A tax in another currency is left out, because nothing is converted between currencies.
  const isOther = tax !== null && tax.currency !== amount.currency;
  return {
    connection_id: connectionId,
    livemode: livemodeOf(accountId, seen),
    names: names.toSorted(),
    name_of_group: group?.name ?? null,
    charge_amount_cents: amount.amount,
    tax_amount_cents: tax === null || isOther ? 0 : Math.min(tax.amount, amount.amount),
    tax_ignored: (isOther && tax.amount !== 0) || taxedRefunds(refunds, amount.currency).isIgnored,
    currency: amount.currency,
    charged_at: at,
    excluded,
    paid_outside,
  };
}

/** Returns the stored mode of a payment. Null for one of the account's own mode that no connection told: a report of the merchant does not know the mode. */
function livemodeOf(accountId: string, { mode, connectionId }: PaymentSeen): boolean | null {
  if (!isOwnMode(accountId, mode)) return false;
  return connectionId === null ? null : true;
}

/** Returns the promotion code that was redeemed with a payment. */
export function codeOfPayment(accountId: string, seen: PaymentSeen): RedeemedCode {
  return {
    psp_promotion_code_ids: seen.codes.flatMap(({ id }) => id ?? []),
    code: seen.codes.find(({ text }) => text !== null)?.text ?? undefined,
    livemode: livemodeOf(accountId, seen) ?? undefined,
  };
}

/** Returns the details of the payer in a fact about a time. */
export function customerOfPayer(seen: Pick<PaymentSeen, 'source' | 'connectionId' | 'payer'>, at: Instant): KnownCustomer {
  const { source, payer } = seen;
  const { ids, externalId: external_customer_id, email, name } = payer;
  const by = source === REPORT ? 'merchant' : 'provider';
  return { source: by, shown_at: at, ...payerId(seen, ids[0] ?? null), external_customer_id, email, name };
}

/** The source of the merchant's reports. */
const REPORT = 'report';

/**
 * Returns the identity of a payer by an id that a connection gave. Two shops may have different customers with the same id. Reports of the merchant name
 * the ids of the provider.
 */
export function payerId(
  { source, connectionId }: Pick<PaymentSeen, 'source' | 'connectionId'>,
  id: string | null,
): Pick<KnownCustomer, 'psp_customer_id' | 'payer_id'> {
  if (source === REPORT || isPsp(source)) return { psp_customer_id: id };
  return { payer_id: id && `${connectionId} ${id}` };
}

/** True if a payment says who paid. */
export function identifiesPayer({ payer: { ids, externalId, email } }: PaymentSeen): boolean {
  return ids.length > 0 || externalId !== null || email !== null;
}

type MoneyBack = Pick<PaymentSeen, 'refunds' | 'disputes'>;

/** Returns how much of a payment was returned in total (docs/rules/ledger.md#refunds). A lost dispute is a refund. */
export function returnedTotal({ refunds, disputes }: MoneyBack): number {
  return sum(refunds.filter(({ state }) => state === 'done')) + sum(disputes.filter(({ outcome }) => outcome === 'lost'));
}

/** Returns how much of the money that a payment returned by now was returned until a time. */
export function returnedUntil({ refunds, disputes }: MoneyBack, time: Instant): number {
  const until = <Each extends { at: Instant }>(all: readonly Each[]) => all.filter(({ at }) => at <= time);
  return returnedTotal({ refunds: until(refunds), disputes: until(disputes) });
}

/** True while at least one dispute of the payment is open (docs/rules/ledger.md#disputes). */
export function isDisputed({ disputes }: Pick<MoneyBack, 'disputes'>): boolean {
  return disputes.some(({ outcome }) => outcome === 'open');
}

/**
 * Returns the part of the refunds whose tax is known, and that tax (docs/rules/ledger.md#tax-of-refunds). A tax in another currency than that of the
 * payment is left out, because nothing is converted between currencies: `isIgnored`.
 */
export function taxedRefunds(refunds: readonly RefundSeen[], currency: string) {
  const taxed = refunds.filter(({ state }) => state === 'done').flatMap((refund) => refund.taxed);
  const counted = taxed.filter(({ tax }) => tax.currency === currency);
  return {
    creditNote: sum(counted),
    creditNoteTax: sum(counted.map(({ tax }) => tax)),
    isIgnored: counted.length < taxed.length,
  };
}

/** Returns the amounts, without tax, that refunds take back from products. Null if no refund names a product. */
export function refundedProducts(refunds: readonly RefundSeen[]): Map<string | null, number> | null {
  if (refunds.every(({ lines }) => lines.length === 0)) return null;
  const refunded = new Map<string | null, number>();
  for (const { state, lines } of refunds)
    for (const { product, amount } of lines)
      refunded.set(product, (refunded.get(product) ?? 0) + (state === 'done' ? amount : 0));
  return refunded;
}

/** Money that went back to the customer, or returned to the merchant because the refund failed. */
export interface ReturnedMoney {
  at: Instant;
  kind: 'refund' | 'refund_failed' | 'dispute_lost';
  /** Negative for a refund. */
  amount: number;
}

/** Returns the history of what was returned. The amounts add up to the returned total with a minus sign. */
export function historyOf({ refunds, disputes }: { refunds: RefundSeen[]; disputes: DisputeSeen[] }): ReturnedMoney[] {
  return [
    ...refunds.flatMap(({ at, amount, state, failedAt }): ReturnedMoney[] => {
      if (state === 'waiting' || (state === 'failed' && failedAt === null)) return [];
      const refund: ReturnedMoney = { at, kind: 'refund', amount: -amount };
      return failedAt === null ? [refund] : [refund, { at: failedAt, kind: 'refund_failed', amount }];
    }),
    ...disputes
      .filter(({ outcome }) => outcome === 'lost')
      .map(({ at, amount }): ReturnedMoney => ({ at, kind: 'dispute_lost', amount: -amount })),
  ];
}

function sum(entries: readonly { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}

/** The parts of a report beside the payment. */
export interface Report {
  external_id: string;
  metadata: MerchantDataChanges['metadata'];
  /** Shipping, from which nobody earns. The amount of the payment leaves it out. */
  shippingCents: number;
  /** True if the report states no time, so that the sale is charged when it is recorded. */
  isNow: boolean;
}

/** Returns the payment that a merchant reports. */
export function paymentOfReport(input: RecordSale, { accountId, now }: Pick<WriteCtx, 'accountId' | 'now'>): ChargedPayment {
  const at = input.charged_at ?? now;
  const { names, group } = namesInReport(input);
  const currency = input.currency;
  return {
    ...REPORTED,
    mode: ownMode(accountId),
    names,
    group: group === null ? null : { name: group, payments: 1 },
    payer: {
      ids: input.psp_customer_id ? [input.psp_customer_id] : [],
      externalId: input.external_customer_id || null,
      email: input.customer_email || null,
      name: input.customer_name ?? null,
    },
    charged: {
      amount: { amount: input.amount_cents - input.shipping_amount_cents, currency },
      tax: { amount: input.tax_amount_cents, currency },
      at,
    },
    lines: (input.lines ?? []).map(({ price, interval, ...line }) => ({
      ...line,
      price: price ?? null,
      interval: interval ?? null,
    })),
    references: input.referral_id ? [{ value: input.referral_id, place: 'metadata', ofPayment: true, at }] : [],
    codes: input.promo_code ? [{ id: null, text: input.promo_code, at }] : [],
    description: input.description || null,
  };
}

/** The parts of a payment that a merchant's report does not tell. */
export const REPORTED = {
  kind: 'payment',
  source: REPORT,
  connectionId: null,
  names: [],
  group: null,
  payer: { ids: [], externalId: null, email: null, name: null },
  lines: [],
  references: [],
  codes: [],
  way: null,
  excluded: false,
  paidOutside: false,
  refunds: [],
  disputes: [],
  subscription: null,
  description: null,
  version: '0',
} satisfies Omit<PaymentSeen, 'charged' | 'mode'>;

/** The values of a report by which a later report is compared. */
export type ComparedReport = Omit<SaleReport, 'shipping_amount_cents' | 'charged_at' | 'second_external_id'>;

/** Returns the values of a reported payment by which a later report is compared. */
export function valuesOf({ charged: { amount, tax }, payer: { ids, externalId, email } }: ChargedPayment): ComparedReport {
  return {
    amount_cents: amount.amount,
    tax_amount_cents: tax?.amount ?? 0,
    currency: amount.currency,
    customer_email: email?.toLowerCase() ?? null,
    psp_customer_id: ids[0] ?? null,
    external_customer_id: externalId,
  };
}

/** Returns a report as it is stored with its sale, which was charged at `charged_at`. */
export function storedReport(seen: ChargedPayment, { shippingCents }: Report, charged_at: Instant): SaleReport {
  return { ...valuesOf(seen), shipping_amount_cents: shippingCents, charged_at };
}

/** Returns the amounts of a payment without the shipping that a report states, if the source tells an amount that includes it. */
export function withoutReportedShipping<Told extends Amounts>(told: Told, report: SaleReport | null): Told {
  if (report === null || told.charged === null) return told;
  const { amount, currency } = told.charged.amount;
  const { amount_cents, shipping_amount_cents: shipping } = report;
  const includesShipping = amount === amount_cents + shipping && currency === report.currency;
  return withoutShipping(told, includesShipping && shipping > 0 ? { amount: shipping, tax: 0 } : null);
}

/** Fields whose values identify what was sold to whom. A second report of the same sale must not change them. */
type ComparedField =
  | 'amount_cents'
  | 'tax_amount_cents'
  | 'currency'
  | 'customer_email'
  | 'psp_customer_id'
  | 'external_customer_id';

export function namesNobody({ customer_email, psp_customer_id, external_customer_id }: ComparedReport): boolean {
  return customer_email === null && psp_customer_id === null && external_customer_id === null;
}

/**
 * True if a second report of a payment, under another `external_id`, names an affiliate or a customer whom the first report left out, and contradicts
 * nothing in the first report (docs/rules/intake.md#the-same-sale-twice).
 *
 * @param reported the second report, and the referral and the code of an affiliate that it names
 */
export function addsTo(
  { report, named_referral_id, promo_code }: Pick<Sale, 'report' | 'named_referral_id' | 'promo_code'>,
  reported: { report: ComparedReport; referralId: string | null; promo: object | null },
): boolean {
  if (report === null || report.second_external_id !== undefined) return false;
  if (reported.referralId !== null && named_referral_id !== null) return false;
  if (reported.promo !== null && promo_code !== null) return false;
  const lacksCustomer = namesNobody(report);
  const addsAnybody = reported.referralId !== null || reported.promo !== null || (lacksCustomer && !namesNobody(reported.report));
  return addsAnybody && contradictions(report, reported.report, lacksCustomer).length === 0;
}

/**
 * Returns the fields in which a report contradicts an earlier report with the same `external_id`
 * (docs/rules/intake.md#reported-sales). A report that leaves the customer out does not contradict a report that names one.
 *
 * @param isSameCustomer true if the customer of the sale is known by an address or id that `reported` names, or if the sale has no customer
 */
export function contradictions(known: ComparedReport, reported: ComparedReport, isSameCustomer: boolean): ComparedField[] {
  const amounts = (['amount_cents', 'tax_amount_cents', 'currency'] as const).filter((field) => known[field] !== reported[field]);
  const named = (['customer_email', 'psp_customer_id', 'external_customer_id'] as const).filter(
    (field) => reported[field] !== null,
  );
  const isAnother = !isSameCustomer && named.length > 0 && named.every((field) => reported[field] !== known[field]);
  return isAnother ? [...amounts, ...named] : amounts;
}
