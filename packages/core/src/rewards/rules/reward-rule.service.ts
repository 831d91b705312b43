import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { getRow, insert, lock, lockAll, newRecordColumns, referenced, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { laterOf } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { markCampaignRewarded } from '../../program/campaigns/campaign.service.ts';
import { Link } from '../../program/links/link.ts';
import { lockNamedCampaign } from '../lock-campaign.ts';
import { REWARD_REASONS } from '../reasons.ts';
import { assertTiers } from '../tiers/tier.ts';
import { byPlace } from '../worth/evaluate.ts';
import { EVENT_CONDITIONS, isExclusion, type Pay, placeFor } from '../worth/rule.ts';
import { DECIDING, RewardRule } from './reward-rule.entity.ts';
import { currentRule, findActive, rewardRuleRecord } from './reward-rule.queries.ts';
import {
  type CreateRewardRule,
  MAX_RULES,
  type ReorderRewardRules,
  type RewardRuleRecord,
  type UpdateRewardRule,
} from './reward-rule.schema.ts';
import { keepVersion } from './rule-versions.ts';

/** Creates a rule. It applies to charges from now on. Throws VALIDATION_ERROR. */
export async function createRewardRule(ctx: WriteCtx, input: CreateRewardRule): Promise<RewardRuleRecord> {
  const campaign = await lockNamedCampaign(ctx, input.campaign_id);
  const rule = insert(ctx, RewardRule, await newRule(ctx, input, await lockActive(ctx, campaign.id)));
  keepVersion(ctx, rule.id);
  markCampaignRewarded(ctx, campaign);
  return rewardRuleRecord(rule);
}

/** Returns the columns of a new rule. Throws VALIDATION_ERROR. */
async function newRule(ctx: WriteCtx, input: CreateRewardRule, active: readonly RewardRule[]): Promise<RewardRule> {
  await assertScope(ctx, input);
  if (active.length >= MAX_RULES) throw invalid('campaign_id', REWARD_REASONS.too_many_rules({ max: MAX_RULES }), 'too_many');
  const rule: RewardRule = {
    ...newRecordColumns(ctx, newId('reward_rule', ctx.clock.now())),
    livemode: !isTestAccount(ctx.accountId),
    campaign_id: input.campaign_id,
    affiliate_id: input.affiliate_id ?? null,
    link_id: input.link_id ?? null,
    name: input.name,
    event: input.event,
    position: 0,
    when: input.when ?? {},
    reward: payOf(input.pay),
    apply: input.apply ?? 'instead',
    cap: input.cap ?? null,
    milestone: input.milestone ?? null,
    hold_days: input.event === 'lead' ? (input.hold_days ?? DEFAULT_HOLD_DAYS) : (input.hold_days ?? null),
    from: input.from ?? null,
    until: input.until ?? null,
    version: 1,
    changed_at: ctx.now,
    ended_at: null,
  };
  rule.position = input.position ?? placeFor(currentRule(rule), active);
  assertSensible(rule);
  assertRoom(rule, active);
  return rule;
}

/** Maximum size of the definition of a rule, in bytes, and of those of all rules of a campaign, because every sale is decided by all of them. */
const MAX_RULE_BYTES = 16 * 1024;
const MAX_CAMPAIGN_BYTES = 256 * 1024;

function bytesOf({ name, when, reward, cap, milestone }: RewardRule): number {
  return Buffer.byteLength(JSON.stringify([name, when, reward, cap, milestone]));
}

/** Throws VALIDATION_ERROR if a rule is too large, or the rules of its campaign together. */
function assertRoom(rule: RewardRule, active: readonly RewardRule[]): void {
  const bytes = bytesOf(rule);
  if (bytes > MAX_RULE_BYTES) throw invalid('when', REWARD_REASONS.rule_too_large, 'too_big');
  const others = active.filter(({ id }) => id !== rule.id);
  if (others.reduce((sum, each) => sum + bytesOf(each), bytes) > MAX_CAMPAIGN_BYTES)
    throw invalid('when', REWARD_REASONS.rules_too_large, 'too_big');
}

/** Changes a rule. The change applies to charges from now on. Throws NOT_FOUND, CONFLICT for an ended rule, VALIDATION_ERROR. */
export async function updateRewardRule(ctx: WriteCtx, input: UpdateRewardRule): Promise<RewardRuleRecord> {
  const { campaign_id } = await getRow(ctx, RewardRule, input.id);
  // All rules are locked, so that changes at the same time do not exceed their size together.
  const active = await lockActive(ctx, campaign_id);
  const rule = active.find(({ id }) => id === input.id);
  if (rule === undefined) throw new DomainError('CONFLICT', REWARD_REASONS.rule_ended);
  change(ctx, rule, await changesOf(ctx, rule, input, active));
  return rewardRuleRecord(rule);
}

/** Returns the changed columns of a rule. Throws VALIDATION_ERROR. */
async function changesOf(
  ctx: WriteCtx,
  rule: RewardRule,
  { id, pay, ...input }: UpdateRewardRule,
  active: readonly RewardRule[],
): Promise<Partial<RewardRule>> {
  await assertTiers(ctx, rule.campaign_id, input.when?.tier ?? [], 'when.tier');
  const changes: Partial<RewardRule> = { ...input, ...(pay !== undefined && { reward: payOf(pay) }) };
  const changed: RewardRule = { ...rule, ...definedOf(changes) };
  const others = active.filter((each) => each.id !== id);
  // A rule that becomes an exclusion goes first, like a new one.
  if (input.position === undefined && isExclusion(currentRule(changed)) && !isExclusion(currentRule(rule)))
    changes.position = changed.position = placeFor(currentRule(changed), others);
  assertSensible(changed);
  assertRoom(changed, active);
  return changes;
}

function definedOf<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}

/** Ends a rule. It applies to no charge from now on. Has no effect on an ended rule. Throws NOT_FOUND. */
export async function endRewardRule(ctx: WriteCtx, { id }: { id: string }): Promise<RewardRuleRecord> {
  const rule = await lock(ctx, RewardRule, id);
  if (rule.ended_at === null) change(ctx, rule, { ended_at: ctx.now });
  return rewardRuleRecord(rule);
}

/** Puts rules of a campaign into a new order. Throws VALIDATION_ERROR for a rule that is not one of the campaign, or has ended. */
export async function reorderRewardRules(
  ctx: WriteCtx,
  { campaign_id, rule_ids }: ReorderRewardRules,
): Promise<{ data: RewardRuleRecord[] }> {
  await lockNamedCampaign(ctx, campaign_id);
  const active = await lockActive(ctx, campaign_id);
  const ordered = inOrder(active, rule_ids);
  for (const [position, rule] of ordered.entries()) change(ctx, rule, { position });
  return { data: ordered.map(rewardRuleRecord) };
}

/** Returns the rules in a new order. Throws VALIDATION_ERROR. */
function inOrder<Of extends RewardRule>(active: readonly Of[], ruleIds: readonly string[]): Of[] {
  const byId = new Map(active.map((rule) => [rule.id, rule]));
  for (const [i, id] of ruleIds.entries()) {
    if (!byId.has(id)) throw invalid(`rule_ids.${i}`, REWARD_REASONS.no_rule_of_campaign, 'not_found');
    if (ruleIds.indexOf(id) !== i) throw invalid(`rule_ids.${i}`, REWARD_REASONS.rule_twice, 'duplicate');
  }
  const others = active.filter(({ id }) => !ruleIds.includes(id)).toSorted((a, b) => byPlace(currentRule(a), currentRule(b)));
  return [...ruleIds.map((id) => byId.get(id)!), ...others];
}

/** A change of the rules of a campaign that is not made. */
export interface PlannedChange {
  create?: Omit<CreateRewardRule, 'campaign_id'> | undefined;
  update?: UpdateRewardRule | undefined;
  end?: string | undefined;
  rule_ids?: readonly string[] | undefined;
}

/** The rules of a campaign before and after a change. */
export interface ChangedRules {
  before: RewardRule[];
  after: RewardRule[];
}

/**
 * Returns the rules of a campaign as they are, and as they would be after a change, by the same checks as the change itself. Changes nothing.
 *
 * @throws VALIDATION_ERROR
 */
export async function planChange(
  ctx: WriteCtx,
  campaignId: string,
  { create, update, end, rule_ids }: PlannedChange,
): Promise<ChangedRules> {
  const before = await findActive(ctx, campaignId).execute();
  const named = (id: string, path: string) => {
    const rule = before.find((each) => each.id === id);
    if (rule === undefined) throw invalid(path, REWARD_REASONS.no_live_rule_of_campaign, 'not_found');
    return rule;
  };
  let after: RewardRule[] = before;
  if (create !== undefined) after = [...after, await newRule(ctx, { ...create, campaign_id: campaignId }, before)];
  if (update !== undefined) {
    const rule = named(update.id, 'update.id');
    const changed = { ...rule, ...definedOf(await changesOf(ctx, rule, update, before)) };
    after = after.map((each) => (each === rule ? changed : each));
  }
  if (end !== undefined) {
    const rule = named(end, 'end');
    after = after.filter(({ id }) => id !== rule.id);
  }
  if (rule_ids !== undefined) after = inOrder(after, rule_ids).map((rule, position) => ({ ...rule, position }));
  return { before, after };
}

/** Writes the changes of a rule. Keeps a new version if they change what sales earn. */
function change(ctx: WriteCtx, rule: Locked<RewardRule>, changes: Partial<RewardRule>): void {
  const isSame = DECIDING.every(
    (name) => changes[name] === undefined || JSON.stringify(changes[name]) === JSON.stringify(rule[name]),
  );
  // The clocks of processes differ. A version must not come before the one that it follows.
  const changedAt = laterOf(ctx.now, rule.changed_at);
  save(ctx, RewardRule, rule, {
    ...changes,
    ...(!isSame && { version: rule.version + 1, changed_at: changedAt }),
    updated_at: ctx.now,
  });
  if (!isSame) keepVersion(ctx, rule.id);
}

function lockActive(ctx: WriteCtx, campaignId: string): Promise<Locked<RewardRule>[]> {
  return lockAll(ctx, RewardRule, findActive(ctx, campaignId));
}

async function assertScope(ctx: WriteCtx, { campaign_id, affiliate_id, link_id, when }: CreateRewardRule): Promise<void> {
  await assertTiers(ctx, campaign_id, when?.tier ?? [], 'when.tier');
  // An empty text is the id of no record.
  const isGiven = (id: string | null | undefined): id is string => id !== undefined && id !== null;
  if (isGiven(affiliate_id)) await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  if (!isGiven(link_id)) return;
  const link = await referenced(ctx, Link, link_id, 'link_id');
  if (link.campaign_id !== campaign_id) throw invalid('link_id', REWARD_REASONS.link_of_other_campaign);
  if (isGiven(affiliate_id) && link.affiliate_id !== affiliate_id)
    throw invalid('link_id', REWARD_REASONS.link_of_other_affiliate);
}

function payOf({ percent, fixed, nothing }: CreateRewardRule['pay']): Pay {
  const given = [percent, fixed, nothing].filter((value) => value !== undefined);
  if (given.length !== 1) throw invalid('pay', REWARD_REASONS.one_of_percent_fixed_nothing, 'required');
  if (percent !== undefined) return { kind: 'percent', basis_points: Math.round(percent * 100) };
  return fixed === undefined ? { kind: 'nothing' } : { kind: 'fixed', ...fixed };
}

/** Days after which the reward for a lead is due, unless the rule says otherwise. */
const DEFAULT_HOLD_DAYS = 30;

/** Throws VALIDATION_ERROR for a rule whose fields do not fit its event. */
function assertFitsEvent({ event, when, reward, apply, cap, milestone, hold_days, link_id }: RewardRule): void {
  if ((milestone !== null) !== (event === 'milestone'))
    throw invalid(
      'milestone',
      event === 'milestone' ? REWARD_REASONS.metric_required : REWARD_REASONS.only_for_milestones,
      'required',
    );
  if (milestone !== null && (milestone.every === undefined) === (milestone.at === undefined))
    throw invalid('milestone', REWARD_REASONS.one_of_every_and_at, 'required');
  if (milestone?.metric === 'revenue' && (milestone.every ?? 100) < 100)
    throw invalid('milestone.every', REWARD_REASONS.below_100_cents, 'too_small');
  if (hold_days !== null && event !== 'lead') throw invalid('hold_days', REWARD_REASONS.only_for_leads);
  if (event === 'sale') {
    if (apply === 'on_top' && reward.kind === 'nothing') throw invalid('pay', REWARD_REASONS.top_pays_nothing);
    return;
  }
  if (apply !== 'instead') throw invalid('apply', REWARD_REASONS.top_only_for_sales);
  if (reward.kind !== 'fixed' || reward.per !== 'sale') throw invalid('pay', REWARD_REASONS.fixed_once);
  if (cap !== null) throw invalid('cap', REWARD_REASONS.cap_only_for_sales);
  if (event === 'milestone' && link_id !== null) throw invalid('link_id', REWARD_REASONS.milestone_of_link);
  const allowed: readonly string[] = EVENT_CONDITIONS[event];
  const misfit = Object.keys(when).find((name) => !allowed.includes(name));
  if (misfit !== undefined) throw invalid(`when.${misfit}`, REWARD_REASONS.condition_not_for({ event }));
}

/** Throws VALIDATION_ERROR for a rule that can never apply. */
function assertSensible(rule: RewardRule): void {
  assertFitsEvent(rule);
  const { when, from, until } = rule;
  if (from !== null && until !== null && until <= from) throw invalid('until', REWARD_REASONS.not_after_from);
  for (const name of ['sale_number', 'age_months', 'amount'] as const) {
    const { from: least = 0, to = Infinity } = when[name] ?? {};
    const isEmpty = name === 'sale_number' ? to < Math.max(1, least) : to <= least;
    if (isEmpty) throw invalid(`when.${name}.to`, REWARD_REASONS.empty_range);
  }
}
