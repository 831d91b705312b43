import type { Sale, SaleReport } from '../../ledger/sales/sale.entity.ts';

/** The values of a report by which a later report is compared. */
export type ComparedReport = Omit<SaleReport, 'charged_at' | 'second_external_id'>;

/** Fields whose values identify what was sold to whom. A second report of the same sale must not change them. */
export type ComparedField =
  | 'amount_cents'
  | 'tax_amount_cents'
  | 'currency'
  | 'customer_email'
  | 'psp_customer_id'
  | 'external_customer_id';

/** True if a report names no customer. */
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
