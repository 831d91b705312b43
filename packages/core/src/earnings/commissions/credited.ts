import { sql } from 'kysely';

/**
 * Whether a row of `commission` counts towards the total that a sale has earned its affiliate. A voided commission does not, unless it
 * was claimed or paid before: then an adjustment takes the money back, and leaving out the voided one would take it back twice
 * (docs/domain-rules.md#credited).
 */
export const IS_CREDITED = sql<boolean>`(
  commission.state <> 'voided' or commission.paid_at is not null
  or exists (select from payout_item where payout_item.commission_id = commission.id))`;
