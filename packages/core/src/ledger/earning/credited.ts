import { sql } from 'kysely';
import type { CommissionState } from '../../platform/wire/states.ts';

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
