import { sql } from 'kysely';

/** SQL expression: the end of a claim `other` by a code that has no referral yet, by the terms of its campaign at its beginning. */
const END_OF_CODE = sql`other.claimed_from + make_interval(days => (
  select days_before_referrals_expire from (
    select days_before_referrals_expire, until from campaign_terms
    where campaign_id = other.campaign_id and date_trunc('second', until) > date_trunc('second', other.claimed_from)
    union all
    select days_before_referrals_expire, null from campaign where id = other.campaign_id
  ) version order by until nulls last limit 1))`;

/**
 * SQL condition: the row `referral` was started for a code or an assignment, and has no sale. Without one it counts if it has the customer, its code was
 * redeemed without a sale, and no earlier claim on the customer was still live then.
 */
const IS_STARTED_IN_VAIN = sql<boolean>`(referral.is_derived and not exists (select from sale where sale.referral_id = referral.id)
  and (referral.customer_id is null or not exists (
    select from attribution_claim claim
    where claim.referral_id = referral.id and claim.sale_id is null and not exists (
      select from attribution_claim other left join referral visited on visited.id = other.referral_id
      where other.customer_id = claim.customer_id and other.id <> claim.id
        and (date_trunc('second', other.claimed_from), other.kind = 'code', other.source)
          < (date_trunc('second', claim.claimed_from), claim.kind = 'code', claim.source)
        and (claim.claimed_from < case when other.referral_id is null then ${END_OF_CODE} else visited.expires_at end) is not false))))`;

/**
 * SQL condition: the row `referral` is one of several for one visit, which two customers named who turned out to be one, and another one of these counts:
 * the one that has the customer, or else the one with the smallest id.
 */
const IS_REPEATED = sql<boolean>`(referral.customer_id is null and referral.conversion_state = 'lead' and exists (
  select from attribution_claim claim
  join attribution_claim other on other.customer_id = claim.customer_id and other.kind = 'link' and other.referral_id <> referral.id
    and split_part(other.source, ' ', 2) = split_part(claim.source, ' ', 2)
  join referral counted on counted.id = other.referral_id
  where claim.referral_id = referral.id and claim.kind = 'link'
    and (counted.customer_id is not null or counted.conversion_state = 'conversion' or counted.id < referral.id)))`;

/**
 * SQL condition: the row `referral` counts in figures. A referral that a test visit started does not count, nor one that only a sale of test mode
 * converted (docs/rules/reports.md#test-facts), nor one of a code that a link won over (`IS_STARTED_IN_VAIN`), nor a
 * second one of a visit (`IS_REPEATED`).
 */
export const IS_COUNTED = sql<boolean>`(not referral.is_test and not ${IS_STARTED_IN_VAIN} and not ${IS_REPEATED} and (
  not exists (select from sale where sale.referral_id = referral.id and sale.charged_at = referral.converted_at and sale.livemode = false)
  or exists (select from sale where sale.referral_id = referral.id and sale.livemode is distinct from false and sale.charge_amount_cents > 0)))`;
