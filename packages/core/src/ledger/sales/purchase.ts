/** The sales that count as purchases of a customer, in TypeScript for one sale and in SQL for many (docs/rules/rewards.md#reward-rules). */
import { sql } from 'kysely';
import { isExcluded, type Sale } from './sale.entity.ts';

type PurchaseColumns = Pick<
  Sale,
  'charge_amount_cents' | 'tax_amount_cents' | 'excluded' | 'paid_outside' | 'no_commission_reason'
>;

/** True if the customer paid something for the sale besides its tax, and the sale is not excluded. Refunds make no difference. */
export function isPurchase(sale: PurchaseColumns): boolean {
  return isCharged(sale) && !isExcluded(sale) && sale.no_commission_reason !== 'excluded';
}

/** True if the customer paid something for the sale besides its tax. */
export function isCharged({
  charge_amount_cents,
  tax_amount_cents,
}: Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents'>): boolean {
  return charge_amount_cents > tax_amount_cents;
}

/** SQL equivalent of `isPurchase` for a row of `sale`. */
export const IS_PURCHASE = sql<boolean>`(
  sale.charge_amount_cents > sale.tax_amount_cents and not sale.excluded and sale.paid_outside is distinct from 'excluded'
  and sale.no_commission_reason is distinct from 'excluded')`;

/**
 * SQL condition: a row of `sale` counts as a sale in reports: something was charged. Excluded sales and refunded ones count, but not a sale of nothing,
 * e.g. one that repeats the payment of another (docs/rules/reports.md#reports).
 */
export const IS_SOLD = sql<boolean>`(sale.charge_amount_cents > 0)`;
