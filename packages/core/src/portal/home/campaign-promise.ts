import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { inEachLanguage, type Language } from '../../platform/texts/texts.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { RANK } from '../../rewards/rules/reward-rule.queries.ts';
import { type RuleNames, ruleInWords, type SpokenRule } from '../../rewards/words/rule-in-words.ts';

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
