import { type RawBuilder, sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { amountIn, inLanguage, shareIn } from '../../platform/mail/in-language.ts';
import { inEachLanguage, type Language, type Texts } from '../../platform/texts/texts.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { RANK } from '../../rewards/rules/reward-rule.queries.ts';
import { ruleInWords, type RuleNames, type SpokenRule } from '../../rewards/words/rule-in-words.ts';

/** Wordings of a campaign's reward, for the sign-up pages and the portal. */
export const REWARD_TEXTS = {
  reward: {
    shareOfEvery: {
      en: '{share} of every sale to a customer you refer',
      de: '{share} von jedem Verkauf an Kunden, die Sie werben',
    },
    shareOfFirst: {
      en: '{share} of the first sale to a customer you refer',
      de: '{share} vom ersten Verkauf an jeden Kunden, den Sie werben',
    },
    amountForEvery: {
      en: '{amount} for every sale to a customer you refer',
      de: '{amount} für jeden Verkauf an Kunden, die Sie werben',
    },
    amountForFirst: {
      en: '{amount} for the first sale to a customer you refer',
      de: '{amount} für den ersten Verkauf an jeden Kunden, den Sie werben',
    },
    months: {
      en: { one: 'for {count} month', other: 'for {count} months' },
      de: { one: '{count} Monat lang', other: '{count} Monate lang' },
    },
    sales: {
      en: { one: 'up to {count} sale', other: 'up to {count} sales' },
      de: { one: 'höchstens {count} Verkauf', other: 'höchstens {count} Verkäufe' },
    },
    unless: { en: 'unless a special reward applies', de: 'sofern keine besondere Provision gilt' },
  },
} as const satisfies Texts;

const t = REWARD_TEXTS.reward;

/** The columns of a campaign that affiliates read, and of which former values are kept. */
const TERMS = [
  'commission_basis_points',
  'commission_amount_cents',
  'commission_amount_currency',
  'max_commissions',
  'max_commission_period_months',
] as const;

/** The columns of a campaign that describe its reward. */
export type RewardTerms = Pick<Campaign, (typeof TERMS)[number] | 'reward_type' | 'custom_reward_description'>;

/**
 * Describes a campaign's reward in one sentence: in the merchant's own words if given, otherwise made from the campaign's terms.
 *
 * @param hasExceptions true if reward rules decide about some sales
 */
export function rewardInWords(terms: RewardTerms, language: Language, hasExceptions = false): string {
  if (hasOwnWords(terms)) return terms.custom_reward_description!;
  const say = inLanguage(language);
  const { max_commission_period_months: months, max_commissions: most } = terms;
  const limits =
    most === 1
      ? []
      : [
          ...(months === null ? [] : [say(t.months, { count: months })]),
          ...(most === null ? [] : [say(t.sales, { count: most })]),
        ];
  const exceptions = hasExceptions ? [say(t.unless)] : [];
  return `${[earned(terms, language), ...limits, ...exceptions].join(', ')}.`;
}

/** Describes a reward in every language of the pages. */
export function rewardInLanguages(terms: RewardTerms, hasExceptions: boolean): Record<Language, string> {
  return inEachLanguage((language) => rewardInWords(terms, language, hasExceptions));
}

/** True if the merchant describes the reward in words of their own. */
function hasOwnWords({ custom_reward_description: words }: RewardTerms): boolean {
  return words !== null && words.trim() !== '';
}

function earned(terms: RewardTerms, language: Language): string {
  const say = inLanguage(language);
  const isFirst = terms.max_commissions === 1;
  if (terms.reward_type === 'percent') {
    const share = shareIn(language, (terms.commission_basis_points ?? 0) / 10_000);
    return say(isFirst ? t.shareOfFirst : t.shareOfEvery, { share });
  }
  const { commission_amount_cents: cents, commission_amount_currency: currency } = terms;
  const amount = currency === null ? '' : amountIn(language, { amount_cents: cents ?? 0, currency });
  return say(isFirst ? t.amountForFirst : t.amountForEvery, { amount });
}

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
  return sql`jsonb_build_array(${sql.join(TERMS.map((column) => sql.ref(`${alias}.${column}`)))})`;
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

/** The promises of reward rules: a sentence for each, and whether they decide about sales that the base reward would pay. */
interface RulesPromise {
  rewards: Record<Language, string>[];
  hasExceptions: boolean;
}

/** Returns what rules promise, in their order. */
export function promiseOf(
  rules: readonly SpokenRule[],
  names: RuleNames,
  reading: Parameters<typeof ruleInWords>[3],
): RulesPromise {
  return {
    rewards: rules.map((rule) => inEachLanguage((language) => ruleInWords(rule, language, names, reading))),
    hasExceptions: rules.some(({ event, apply }) => event === 'sale' && apply === 'instead'),
  };
}

/**
 * Finds what the rules of a campaign promise to every affiliate, now or later. Strangers read it, so it has no codes, and no names of products that are only known
 * from sales.
 */
export async function findPromise(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  campaign: { id: string; account_id: string },
): Promise<RulesPromise> {
  const now = toInstant(clock.now());
  const { rows: rules } = await sql<SpokenRule>`
    select event, "when", reward as pay, apply, cap, milestone, link_id, "from", until from reward_rule
    where account_id = ${campaign.account_id} and campaign_id = ${campaign.id} and affiliate_id is null and link_id is null
      and ended_at is null and (until is null or until > ${now}::timestamptz)
    order by ${RANK}, id`.execute(database.kysely);
  if (rules.length === 0) return { rewards: [], hasExceptions: false };
  const [tiers, { time_zone: timeZone }] = await Promise.all([
    database.kysely
      .selectFrom('tier')
      .select(['id', 'name'])
      .where('account_id', '=', campaign.account_id)
      .where('campaign_id', '=', campaign.id)
      .execute(),
    database.kysely.selectFrom('account').select('time_zone').where('id', '=', campaign.account_id).executeTakeFirstOrThrow(),
  ]);
  const names = { products: new Map<string, string>(), tiers: new Map(tiers.map(({ id, name }) => [id, name])) };
  const reading = { now, timeZone };
  const { hasExceptions } = promiseOf(rules, names, reading);
  const shown = rules.filter(({ when }) => when.codes === undefined);
  return { rewards: promiseOf(shown, names, reading).rewards, hasExceptions };
}
