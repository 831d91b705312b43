import { sql } from 'kysely';

/**
 * SQL condition: the row `referral` counts in figures. A referral that a test visit started does not count, nor one that only a sale of test mode
 * converted (docs/rules/reports.md#test-facts).
 */
export const IS_COUNTED = sql<boolean>`(not referral.is_test and (
  not exists (select from sale where sale.referral_id = referral.id and sale.charged_at = referral.converted_at and sale.livemode = false)
  or exists (select from sale where sale.referral_id = referral.id and sale.livemode is distinct from false and sale.charge_amount_cents > 0)))`;
