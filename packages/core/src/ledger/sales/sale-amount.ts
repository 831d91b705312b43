/**
 * The amount of a sale, in TypeScript for one sale and in SQL for many (docs/rules/ledger.md#sales). Refunds are deducted in two steps.
 * First, a refund whose tax a credit note states is deducted as stated: the refund from the charge, and its tax from the tax. Every other
 * refund contains an unknown share of the tax. These refunds therefore reduce the remaining net amount by the same fraction as the remaining
 * charge: `net − round_half_away(net × refunded ÷ charge)`, where `net` and `charge` are the amounts after the first step, and `refunded`
 * is the sum of the other refunds.
 *
 * Tax and refunds never exceed the charge, so the amount is never negative, and a full refund leaves 0.
 */
import { sql } from 'kysely';

/** Returns the amount of a sale in cents. Large amounts lose no precision. */
export function saleAmountCents(sale: {
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  credit_note_refund_cents: number;
  credit_note_tax_cents: number;
}): number {
  if (sale.charge_amount_cents <= sale.credit_note_refund_cents) return 0;
  const charge = BigInt(sale.charge_amount_cents - sale.credit_note_refund_cents);
  const net = charge - BigInt(sale.tax_amount_cents - sale.credit_note_tax_cents);
  const taken = (2n * net * BigInt(sale.refund_amount_cents - sale.credit_note_refund_cents) + charge) / (2n * charge);
  return Number(net - taken);
}

const CHARGE = sql`(sale.charge_amount_cents - sale.credit_note_refund_cents)`;
const NET = sql`(${CHARGE} - sale.tax_amount_cents + sale.credit_note_tax_cents)`;

/** SQL equivalent of `saleAmountCents` for a row of `sale`. Computed in `numeric`, because the product may exceed 64 bits. */
export const SALE_AMOUNT_CENTS = sql<number>`(
  case when sale.charge_amount_cents <= sale.credit_note_refund_cents then 0 else
    ${NET} - div(
      2::numeric * ${NET} * (sale.refund_amount_cents - sale.credit_note_refund_cents) + ${CHARGE},
      2::numeric * ${CHARGE})
  end)::bigint`;
