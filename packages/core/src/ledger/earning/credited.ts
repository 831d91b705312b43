import { sql } from 'kysely';
import type { CommissionState } from '../../platform/wire/states.ts';
import { SALE_AMOUNT_CENTS } from '../sales/sale.entity.ts';

/**
 * SQL condition: a row of `commission` counts towards the amount credited for its sale. A voided commission counts only if it was claimed
 * or paid before. An adjustment then takes its amount back, so leaving out the voided commission would subtract the amount twice
 * (docs/rules/ledger.md#credited).
 */
export const IS_CREDITED = sql<boolean>`(
  commission.state <> 'voided' or commission.paid_at is not null
  or exists (select from payout_item where payout_item.commission_id = commission.id))`;

/**
 * SQL expression: the state under which the amount of a row of `commission` is counted. A commission that is not voided counts under its
 * own state. A voided commission counts as paid if it was paid before, and as due if it is in a claimed payout. The adjustment that takes
 * the amount back is counted too, so the sum is the credited amount. All other voided commissions count as voided.
 */
export const CREDITED_STATE = sql<CommissionState>`(case
  when commission.state <> 'voided' then commission.state
  when commission.paid_at is not null or exists (
    select from payout_item join payout on payout.id = payout_item.payout_id
    where payout_item.commission_id = commission.id and payout.status = 'paid') then 'paid'
  when ${IS_CREDITED} then 'due'
  else 'voided' end)`;

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
