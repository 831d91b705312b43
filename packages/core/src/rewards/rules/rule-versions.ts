/**
 * The versions of rules. A sale earns by the rules that were in force at its charge, whenever it arrives (docs/rules/rewards.md#versions).
 */
import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { type Instant, isBefore, plusMilliseconds } from '../../platform/time/instant.ts';
import type { Rule } from '../worth/rule.ts';

/** Keeps the current values of a rule, which this transaction has written, as a version. */
export function keepVersion({ db, accountId }: WriteCtx, ruleId: string): void {
  const version = sql`
    insert into reward_rule_version (rule_id, version, account_id, campaign_id, affiliate_id, link_id, in_force_from, event, position, "when",
      reward, apply, cap, milestone, hold_days, "from", until, ended)
    select id, version, account_id, campaign_id, affiliate_id, link_id, changed_at, event, position, "when",
      reward, apply, cap, milestone, hold_days, "from", until, ended_at is not null
    from reward_rule where id = ${ruleId} and account_id = ${accountId}`;
  post(db, version.compile(db));
}

/** A version of a rule with the time from which it is in force. */
export interface RuleVersion extends Rule {
  campaign_id: string;
  in_force_from: Instant;
  ended: boolean;
}

/** Loads the versions of the rules of campaigns that were in force at or before a time, including those of single affiliates and links. */
export async function versionsUntil(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  campaignIds: readonly string[],
  until: Instant,
): Promise<RuleVersion[]> {
  if (campaignIds.length === 0) return [];
  const { rows } = await sql<RuleVersion>`
    select rule_id as id, campaign_id, version, in_force_from, event, link_id, affiliate_id, position, "when", reward as pay, apply, cap, milestone, hold_days,
      "from", until, ended
    from reward_rule_version
    where account_id = ${accountId} and campaign_id = any (${campaignIds}::text[])
      and in_force_from <= ${plusMilliseconds(until, 999)}::timestamptz
    order by campaign_id, rule_id, version desc`.execute(db);
  return rows;
}

/**
 * Returns of each rule the version that was in force at a time. Leaves out rules that had ended.
 *
 * @param versions the newest version of each rule comes first
 */
export function inEffect(versions: readonly RuleVersion[], at: Instant): Rule[] {
  const chosen = new Map<string, RuleVersion>();
  for (const version of versions)
    if (!chosen.has(version.id) && !isBefore(at, version.in_force_from)) chosen.set(version.id, version);
  return [...chosen.values()].filter(({ ended }) => !ended);
}
