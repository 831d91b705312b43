import { sql } from 'kysely';

/**
 * SQL condition: the row `referral` was started for a code that does not bind the customer any more, because of facts that became known later. If these
 * had been known before, there would be no such referral.
 */
const IS_LEFT_BY_CODE = sql<boolean>`(referral.customer_id is null and referral.link_id is null and referral.conversion_state = 'lead'
  and exists (select from attribution_claim claim where claim.referral_id = referral.id and claim.kind = 'code')
  and not exists (select from attribution_claim claim where claim.referral_id = referral.id and claim.kind = 'link'))`;

/**
 * SQL condition: the row `referral` counts in figures. A referral that a test visit started does not count, nor one that only a sale of test mode
 * converted (docs/rules/reports.md#test-facts), nor one that was started for a code and has lost everything.
 */
export const IS_COUNTED = sql<boolean>`(not referral.is_test and not ${IS_LEFT_BY_CODE} and (
  not exists (select from sale where sale.referral_id = referral.id and sale.charged_at = referral.converted_at and sale.livemode = false)
  or exists (select from sale where sale.referral_id = referral.id and sale.livemode is distinct from false and sale.charge_amount_cents > 0)))`;
