/**
 * The amount of a sale, in TypeScript for one sale and in SQL for many (docs/domain-rules.md#sales). A refund takes from the net amount in
 * proportion to the charge, because it gives back its share of the tax as well:
 * `net = charge − tax`, and the amount is `net − round_half_away(net × refunded ÷ charge)`.
 *
 * Tax and refunds never exceed the charge, so the amount is never negative, and a full refund leaves 0. Sales that were refunded before this
 * rule keep the amount of the former one, which took refunds from the net amount in full.
 */
import { sql } from 'kysely';

/** In cents, exact for any amount. */
export function saleAmountCents(sale: {
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  refunds_taken_from_net: boolean;
}): number {
  if (sale.refunds_taken_from_net)
    return Math.max(0, sale.charge_amount_cents - sale.tax_amount_cents - sale.refund_amount_cents);
  if (sale.charge_amount_cents === 0) return 0;
  const charge = BigInt(sale.charge_amount_cents);
  const net = charge - BigInt(sale.tax_amount_cents);
  const taken = (2n * net * BigInt(sale.refund_amount_cents) + charge) / (2n * charge);
  return Number(net - taken);
}

/** `saleAmountCents` for rows of `sale`. In `numeric`, since the product may exceed 64 bits. */
export const SALE_AMOUNT_CENTS = sql<number>`(
  case when sale.refunds_taken_from_net then greatest(0, sale.charge_amount_cents - sale.tax_amount_cents - sale.refund_amount_cents)
  when sale.charge_amount_cents = 0 then 0 else
    sale.charge_amount_cents - sale.tax_amount_cents - div(
      2::numeric * (sale.charge_amount_cents - sale.tax_amount_cents) * sale.refund_amount_cents + sale.charge_amount_cents,
      2::numeric * sale.charge_amount_cents)
  end)::bigint`;
