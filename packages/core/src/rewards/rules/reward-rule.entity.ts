import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Cap, Milestone, Pay, Rule, When } from '../worth/rule.ts';

export const RewardRule = defineEntity({
  name: 'RewardRule',
  tableName: 'reward_rule',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    campaign_id: p.string(),
    affiliate_id: p.string().strictNullable(),
    link_id: p.string().strictNullable(),
    name: p.string(),
    event: p.string().$type<Rule['event']>(),
    position: p.integer(),
    when: p.json<When>(),
    /** Payment of the rule. The record shows it as `pay`. */
    reward: p.json<Pay>(),
    apply: p.string().$type<Rule['apply']>(),
    cap: p.json<Cap>().strictNullable(),
    milestone: p.json<Milestone>().strictNullable(),
    hold_days: p.integer().strictNullable(),
    from: instant().strictNullable(),
    until: instant().strictNullable(),
    /** Number of the current version, counted from 1. All versions are rows of `reward_rule_version`. */
    version: p.integer(),
    /** Time from which the current version is in force. */
    changed_at: instant(),
    ended_at: instant().strictNullable(),
  },
});

/** A rule that says what some sales, leads or milestones of a campaign earn. */
export type RewardRule = Row<typeof RewardRule>;

/** The columns of a rule that decide about sales. A change of any of them makes a new version. */
export const DECIDING = [
  'position',
  'when',
  'reward',
  'apply',
  'cap',
  'milestone',
  'hold_days',
  'from',
  'until',
  'ended_at',
] as const;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    reward_rule: InferKyselyTable<typeof RewardRule>;
    reward_rule_version: RewardRuleVersionTable;
    reward_revision: RewardRevisionTable;
  }
}

/** A version of a rule. Versions are only added, because a sale earns by the version that was in force at its charge. */
interface RewardRuleVersionTable {
  rule_id: string;
  version: number;
  account_id: string;
  campaign_id: string;
  affiliate_id: string | null;
  link_id: string | null;
  /** In force from this time until the next version is. */
  in_force_from: Instant;
  event: Rule['event'];
  position: number;
  when: string;
  reward: string;
  apply: Rule['apply'];
  cap: string | null;
  milestone: string | null;
  hold_days: number | null;
  from: Instant | null;
  until: Instant | null;
  /** True if the rule ended with this version. */
  ended: boolean;
}

/** The state of the rules of a campaign. Every change of a rule gives it another revision. */
interface RewardRevisionTable {
  campaign_id: string;
  account_id: string;
  revision: string;
}
