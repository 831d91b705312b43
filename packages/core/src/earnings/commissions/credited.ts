import { sql } from 'kysely';

/**
 * Whether a row of `commission` counts towards what its affiliate has of a sale. What was voided counts no more, unless the money was
 * claimed or paid before: then the adjustment made for it is what takes the money back, and without the voided one it would do so twice.
 */
export const IS_CREDITED = sql<boolean>`(
  commission.state <> 'voided' or commission.paid_at is not null
  or exists (select from payout_item where payout_item.commission_id = commission.id))`;
