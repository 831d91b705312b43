/** Pure: a merchant's report of a sale as a payment, and how it compares with an earlier report (docs/rules/intake.md#reported-sales). */
import type { Sale, SaleReport } from '../../ledger/sales/sale.entity.ts';
import type { RecordSale } from '../../ledger/sales/sale.schema.ts';
import { namesInReport } from '../../ledger/sales/wire-names.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { MerchantDataChanges } from '../../platform/call/save-merchant-data.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { type Amounts, withoutShipping } from '../../sources/port/without-shipping.ts';
import { type ChargedPayment, REPORT } from './facts-of-payment.ts';

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
