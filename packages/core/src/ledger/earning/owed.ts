import { sql } from 'kysely';
import { SALE_AMOUNT_CENTS } from '../sales/sale-amount.ts';

/**
 * SQL expression: the total, in cents, that a commission of kind `sale`, `imported` or `bonus` and its adjustments must have. For rows of `commission` joined with
 * their `sale`. The total is the amount that `settleCommission` aims at, or 0 if the commission is superseded or the merchant voided it
 * (docs/rules/ledger.md#credited).
 */
export const OWED_CENTS = sql<number>`(case
  when commission.superseded then 0
  when commission.state = 'voided' and not commission.voided_by_refund then 0
  when commission.imported_cents is not null then case
    when sale.charge_amount_cents <= sale.imported_refund_cents then commission.imported_cents
    else sign(commission.imported_cents) * div(
      2::numeric * abs(commission.imported_cents) * (sale.charge_amount_cents - sale.refund_amount_cents)
        + sale.charge_amount_cents - sale.imported_refund_cents,
      2::numeric * (sale.charge_amount_cents - sale.imported_refund_cents)) end
  when commission.lines_currency is not null then (select sum(cents) from commission_line where commission_id = commission.id)
  when commission.basis_points is not null then div(2::numeric * ${SALE_AMOUNT_CENTS} * commission.basis_points + 10000, 20000)
  when ${SALE_AMOUNT_CENTS} = 0 then 0
  else commission.amount_cents end)::bigint`;
