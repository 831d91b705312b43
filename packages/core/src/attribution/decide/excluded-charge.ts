import { isExcluded, type Sale } from '../../ledger/sales/sale.entity.ts';
import { isExcludedAt } from '../../program/customers/exclusions.ts';
import type { CustomerFact } from './facts.ts';

/** True if the metadata of the payment or of its customer say that nobody earns, or the merchant excludes payments outside the provider. */
export function isExcludedCharge(sale: Sale, customer: Pick<CustomerFact, 'exclusions'> | null): boolean {
  return isExcluded(sale) || isExcludedAt(customer?.exclusions ?? [], sale.charged_at);
}
