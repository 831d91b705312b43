import type { SaleReport } from '../../ledger/sales/sale.entity.ts';

/** The values of a report by which a later report is compared. */
export type ComparedReport = Omit<SaleReport, 'charged_at'>;

/** Fields whose values identify what was sold to whom. A second report of the same sale must not change them. */
export type ComparedField =
  | 'amount_cents'
  | 'tax_amount_cents'
  | 'currency'
  | 'customer_email'
  | 'psp_customer_id'
  | 'external_customer_id';

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
