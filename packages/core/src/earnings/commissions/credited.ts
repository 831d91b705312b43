import { sql } from 'kysely';
import type { CommissionState } from '../commission-records/commission.states.ts';

/**
 * Condition: a row of `commission` counts towards the total that a sale has earned its affiliate. A voided commission does not, unless it
 * was claimed or paid before: then an adjustment takes the money back, and leaving out the voided one would take it back twice
 * (docs/domain-rules.md#credited).
 */
export const IS_CREDITED = sql<boolean>`(
  commission.state <> 'voided' or commission.paid_at is not null
  or exists (select from payout_item where payout_item.commission_id = commission.id))`;

/**
 * State in which the amount of a row of `commission` counts: pending, due or paid if it is credited, voided if not. A voided commission that was
 * claimed or paid counts in the state of its payout, beside the adjustment that takes it back; together they add up to what is credited.
 */
export const CREDITED_STATE = sql<CommissionState>`(case
  when commission.state <> 'voided' then commission.state
  when commission.paid_at is not null or exists (
    select from payout_item join payout on payout.id = payout_item.payout_id
    where payout_item.commission_id = commission.id and payout.status = 'paid') then 'paid'
  when ${IS_CREDITED} then 'due'
  else 'voided' end)`;
