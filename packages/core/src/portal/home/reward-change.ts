import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type RewardTerms, hasOwnWords, rewardInWords } from './reward.ts';

/** A merchant may change terms several times in a row. All changes within this time are in one email. */
export const SETTLED_MS = 3_600_000;

/** The terms of a campaign that ended at a time. */
export type FormerTerms = Omit<RewardTerms, 'reward_type' | 'custom_reward_description'>;

/** Describes the reward before a change. Empty if the merchant describes the reward in words of their own, because nobody knows the former ones. */
export function formerReward(former: FormerTerms, current: RewardTerms, language: Language, hadExceptions: boolean): string {
  const terms: RewardTerms = {
    ...former,
    reward_type: former.commission_basis_points === null ? 'fixed' : 'percent',
    custom_reward_description: null,
  };
  return hasOwnWords(current) ? '' : rewardInWords(terms, language, hadExceptions);
}

/** Terms of a campaign that affiliates read, as SQL array of a row of `campaign` or `campaign_terms`. */
function termsOf(alias: string): RawBuilder<unknown> {
  const columns = [
    'commission_basis_points',
    'commission_amount_cents',
    'commission_amount_currency',
    'max_commissions',
    'max_commission_period_months',
  ];
  return sql`jsonb_build_array(${sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)))})`;
}

/**
 * SQL for a `from` clause after `campaign`: the last change of the reward since a time, as `change` with the time `at`, and the terms before it as `former`
 * with `terms`. Changes within `SETTLED_MS` are one. Both are null without a change, and for one that was taken back.
 */
export function joinRewardChange(since: Instant): RawBuilder<unknown> {
  return sql`
    left join lateral (
      select max(until) as at from (
        select until, terms, coalesce(lead(terms) over (order by until), ${termsOf('campaign')}) as next
        from (
          select until, ${termsOf('version')} as terms from campaign_terms version
          where version.campaign_id = campaign.id and until > ${since}::timestamptz
        ) version
      ) version where terms <> next
    ) last on true
    left join lateral (
      select last.at, to_jsonb(first) as terms from (
        select * from campaign_terms first
        where first.campaign_id = campaign.id and first.until > last.at - ${SETTLED_MS} * interval '1 ms'
        order by first.until limit 1
      ) first
      where ${termsOf('first')} <> ${termsOf('campaign')}
    ) change on true`;
}
