import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { getRow } from '../../platform/call/records.ts';
import type { JsonText } from '../../platform/db/json-text.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import type { Pay, Rule } from '../worth/rule.ts';
import { RewardRule } from './reward-rule.entity.ts';
import { type ListRewardRules, type RewardPay, RewardRuleRecord } from './reward-rule.schema.ts';

const RECORD = wireRecord(RewardRule, RewardRuleRecord);

/** Returns the wire record of a rule. */
export function rewardRuleRecord(rule: RewardRule): RewardRuleRecord {
  return RECORD.of(rule as RewardRule & Pick<RewardRuleRecord, 'when'>, { pay: payOnWire(rule.reward) });
}

/** Returns the wire form of what a rule pays. */
export function payOnWire(pay: Pay): RewardPay {
  if (pay.kind === 'percent') return { percent: pay.basis_points / 100 };
  if (pay.kind === 'nothing') return { nothing: true };
  const { kind: _, ...fixed } = pay;
  return { fixed };
}

/** SQL: JSON text of the wire form of what a rule pays, as in `payOnWire`. */
function payJson(pay: RawBuilder<unknown>): JsonText {
  return sql<string>`(case ${pay} ->> 'kind'
    when 'percent' then jsonb_build_object('percent', (${pay} ->> 'basis_points')::float8 / 100)
    when 'nothing' then jsonb_build_object('nothing', true)
    else jsonb_build_object('fixed', ${pay} - 'kind') end)::text`;
}

export const ANNOUNCED_REWARD_RULE: AnnouncedRecord = {
  table: RewardRule.meta.tableName,
  columns: [...RECORD.columns, 'reward'],
  record: () => sql`select * from reward_rule where id = change.id`,
  data: RECORD.json('record', { pay: payJson(sql`record.reward`) }),
  former: { pay: ['reward', payJson(sql`(change.previous -> 'reward')`)] },
  types: [['reward_rule.created', CREATED]],
  updated: 'reward_rule.updated',
};

/** SQL: 0 for an exclusion, as in `isExclusion`, 1 for other rules. */
const EXCLUSIONS_FIRST = sql<string>`case when reward_rule.event = 'sale' and reward_rule.apply = 'instead' and reward_rule.reward ->> 'kind' = 'nothing'
  and (reward_rule."when" -> 'products' is not null or reward_rule."when" -> 'prices' is not null) then '0' else '1' end`;
/** SQL: text that orders the rows of `reward_rule` as they decide, like `byRank`. */
export const RANK = sql<string>`(
  case when reward_rule.link_id is not null then '0' when reward_rule.affiliate_id is not null then '1' else '2' end
  || lpad(reward_rule.position::text, 5, '0') || ${EXCLUSIONS_FIRST}) collate "C"`;
const DECIDING_FIRST = listOrder('rank', {
  table: 'reward_rule',
  sorted: { own: RANK, given: (rank) => sql`${rank}::text`, isValue: (rank) => /^[012]\d{5}[01]$/.test(rank) },
});

/** Lists rules, in the order in which they decide unless sorted otherwise. With `ended`, lists only ended rules; without it, leaves ended rules out. */
export async function listRewardRules(ctx: Ctx, { ended, ...input }: ListRewardRules) {
  let query = ctx.db
    .selectFrom('reward_rule')
    .where('account_id', '=', ctx.accountId)
    .where('ended_at', ended ? 'is not' : 'is', null)
    .where(allOf(whenUpdated('updated_at', input)));
  if (input.campaign_id !== undefined) query = query.where('campaign_id', '=', input.campaign_id);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.link_id !== undefined) query = query.where('link_id', '=', input.link_id);
  const { data, pagination } = await paginate(query, input, {
    order: input.sort === 'rank' ? DECIDING_FIRST : listOrder(input.sort, { table: 'reward_rule' }),
    select: (all) => all.selectAll().select(RANK.as('rank')),
  });
  return { data: data.map(rewardRuleRecord), pagination };
}

/** Query: the rules of a campaign that have not ended. */
export function findActive({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>, campaignId: string) {
  return db
    .selectFrom('reward_rule')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .where('ended_at', 'is', null)
    .orderBy('id');
}

/** Returns a rule as it is now, in the form in which it decides. */
export function currentRule({ reward, ...rule }: RewardRule): Rule {
  return { ...rule, pay: reward };
}

/** Returns a rule, even an ended one. Throws NOT_FOUND. */
export async function getRewardRule(ctx: Ctx, id: string): Promise<RewardRuleRecord> {
  return rewardRuleRecord(await getRow(ctx, RewardRule, id));
}
