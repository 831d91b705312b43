/** The order of charges of the same second, in TypeScript for one sale and in SQL for many (docs/rules/attribution.md#order-of-facts). */
import { sql } from 'kysely';
import type { Sale } from '../../ledger/sales/sale.entity.ts';
import { compare } from '../../platform/order/compare.ts';

/**
 * Returns a key that identifies a charge and orders charges of the same second. The order follows the ids of the provider or the merchant, which do
 * not depend on when a report arrives. A sale without provider ids that was charged at the moment of its report is ordered by its own id, so that a
 * later sale of the same millisecond comes after it. Every key ends with the sale's id, because payments of one invoice may have the same provider
 * ids until their charges are known.
 */
export function chargeKey(sale: Sale): string {
  const reported = sale.charged_at === sale.created_at ? '' : (sale.external_id ?? '');
  return `${sale.names[0] ?? sale.name_of_group ?? reported} ${sale.id}`;
}

/** Compares sales by the time of their charge. */
export function byCharge(one: Sale, other: Sale): number {
  return compare(one.charged_at, other.charged_at) || compare(chargeKey(one), chargeKey(other));
}

/** SQL equivalent of `chargeKey` for a row of `sale`. */
export const CHARGE_KEY = sql<string>`((coalesce(sale.names[1], sale.name_of_group,
  case when sale.charged_at = sale.created_at then '' else sale.external_id end, '') || ' ' || sale.id) collate "C")`;
