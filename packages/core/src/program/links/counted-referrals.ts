import { sql } from 'kysely';

/**
 * SQL condition: the row `referral` was started for a code that won no sale and binds no customer by all facts, because the customer turned out to be
 * another affiliate's. If that had been known before, it would not have been started.
 */
const IS_OF_LOST_CODE = sql<boolean>`(referral.link_id is null and referral.customer_id is null
  and exists (select from attribution_claim claim where claim.referral_id = referral.id and claim.kind = 'code')
  and not exists (select from attribution_claim claim where claim.referral_id = referral.id and claim.kind = 'link')
  and not exists (select from sale where sale.referral_id = referral.id))`;

/**
 * SQL condition: the row `referral` counts in figures. A referral that a test visit started does not count, nor one that only a sale of test mode
 * converted (docs/rules/reports.md#test-facts), nor one of a code that a link won over (`IS_OF_LOST_CODE`).
 */
export const IS_COUNTED = sql<boolean>`(not referral.is_test and not ${IS_OF_LOST_CODE} and (
  not exists (select from sale where sale.referral_id = referral.id and sale.charged_at = referral.converted_at and sale.livemode = false)
  or exists (select from sale where sale.referral_id = referral.id and sale.livemode is distinct from false and sale.charge_amount_cents > 0)))`;
