import type { SessionRecord } from '../../identity/sessions/session.ts';
import { roleMay } from '../../platform/access/permissions.ts';
import { recordWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { insert, newRecordColumns } from '../../platform/call/records.ts';
import { isTestAccount, liveAccountOf } from '../../platform/call/test-account-id.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { RewardRule } from '../../rewards/rules/reward-rule.entity.ts';
import { keepVersion } from '../../rewards/rules/rule-versions.ts';
import { scheduleTiers, Tier } from '../../rewards/tiers/tier.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { assertTestMode, type CopiedCampaign, type CopiedCampaigns } from './test-mode.ts';

/**
 * Copies the live campaigns with their tiers and rules to the test account of the call (docs/rules/platform.md#copies-of-campaigns). Does not change what
 * the test account has.
 *
 * @throws CONFLICT outside test mode; FORBIDDEN for a credential of test mode, which must not learn anything about live records
 */
export async function copyCampaigns(ctx: WriteCtx): Promise<CopiedCampaigns> {
  assertTestMode(ctx);
  const { principal } = ctx;
  if (principal.kind === 'connector' || (principal.kind === 'api_key' && principal.livemode === false))
    throw new DomainError('FORBIDDEN', INTAKE_REASONS.copies_live_campaigns);
  return copyMissing(ctx);
}

/** Copies the campaigns when a person who may write campaigns has turned to test mode, and test mode has no campaign yet. */
export async function startWithCopy(
  { services, session, requestId }: PersonCtx,
  { active_account_id, accounts, user }: SessionRecord,
): Promise<void> {
  const account = accounts.find(({ id }) => id === active_account_id);
  if (account === undefined || !isTestAccount(account.id) || !roleMay(account.role, 'campaigns', 'write')) return;
  const principal = { kind: 'session', id: session.id, user_id: user.id, account_id: account.id, role: account.role } as const;
  await inTransaction({ ...systemContext(services, account.id, requestId), principal }, async (tx) => {
    // Of two copies at once, the second finds the campaigns of the first.
    await advisoryLock(tx, 'campaign slug');
    if ((await campaignsIn(tx, tx.accountId)).length > 0) return;
    const copied = await copyMissing(tx);
    if (copied.data.length > 0) recordWrite(tx, 'testMode.copyCampaigns', {}, copied);
  });
}

/** Loads the campaigns of an account, also archived ones, because they keep their slugs. */
function campaignsIn({ db }: Pick<WriteCtx, 'db'>, accountId: string): Promise<Campaign[]> {
  return db.selectFrom('campaign').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
}

/** Copies the live campaigns that the test account does not have yet. */
async function copyMissing(ctx: WriteCtx): Promise<CopiedCampaigns> {
  await advisoryLock(ctx, 'campaign slug');
  const existing = await campaignsIn(ctx, ctx.accountId);
  const live = liveAccountOf(ctx.accountId);
  const campaigns = (await campaignsIn(ctx, live)).filter(({ archived_at }) => archived_at === null);
  const rules = await ctx.db
    .selectFrom('reward_rule')
    .selectAll()
    .where('account_id', '=', live)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  // Read after the rules, so that the tiers that they name are among them.
  const tiers = await ctx.db.selectFrom('tier').selectAll().where('account_id', '=', live).orderBy('id').execute();
  const hasDefault = existing.some(({ is_default }) => is_default);
  const data: CopiedCampaign[] = [];
  for (const campaign of campaigns) {
    const same = existing.find(
      ({ slug, external_id, archived_at }) =>
        slug === campaign.slug || (archived_at === null && external_id !== null && external_id === campaign.external_id),
    );
    const shown = { live_campaign_id: campaign.id, name: campaign.name };
    if (same !== undefined) data.push({ ...shown, campaign_id: same.id, copied: false, ...NOTHING });
    else {
      const ofCampaign = rules.filter(({ campaign_id }) => campaign_id === campaign.id);
      const copied = ofCampaign.filter(({ affiliate_id, link_id }) => affiliate_id === null && link_id === null);
      const named = new Set(copied.flatMap(({ when }) => when.tier ?? []));
      // An ended tier stays ended. It is copied for the rules that name it, which would otherwise lose a condition.
      const tiersOfCampaign = tiers.filter(
        ({ id, campaign_id, ended_at }) => campaign_id === campaign.id && (ended_at === null || named.has(id)),
      );
      const { id } = await copy(ctx, { ...campaign, is_default: campaign.is_default && !hasDefault }, copied, tiersOfCampaign);
      data.push({
        ...shown,
        campaign_id: ctx.preview ? null : id,
        copied: true,
        rules_count: copied.length,
        tiers_count: tiersOfCampaign.length,
        left_out_rules_count: ofCampaign.length - copied.length,
        provider_ids: providerIdsOf(campaign, copied),
      });
    }
  }
  return { data };
}

const NOTHING = { rules_count: 0, tiers_count: 0, left_out_rules_count: 0, provider_ids: [] };

function providerIdsOf({ psp_coupon_id }: Campaign, rules: readonly RewardRule[]): string[] {
  const ids = rules.flatMap(({ when: { products = [], prices = [] } }) => [...products, ...prices]);
  return [...new Set(psp_coupon_id === null ? ids : [...ids, psp_coupon_id])];
}

async function copy(
  ctx: WriteCtx,
  { livemode: _, ...campaign }: Campaign,
  rules: readonly RewardRule[],
  tiers: readonly Tier[],
): Promise<Campaign> {
  const { now, clock } = ctx;
  const made = insert(ctx, Campaign, {
    ...campaign,
    ...newRecordColumns(ctx, newId('campaign', clock.now())),
    terms_changed_at: null,
    rewarded_since: rules.length + tiers.length > 0 ? now : null,
  });
  const tierIds = new Map(tiers.map(({ id }) => [id, newId('tier', clock.now())]));
  for (const { livemode: __, ...tier } of tiers)
    insert(ctx, Tier, {
      ...tier,
      ...newRecordColumns(ctx, tierIds.get(tier.id)!),
      campaign_id: made.id,
      ended_at: tier.ended_at && now,
    });
  if (tiers.length > 0) await scheduleTiers(ctx, made.id);
  for (const { livemode: __, when, ...rule } of rules) {
    const { id } = insert(ctx, RewardRule, {
      ...rule,
      ...newRecordColumns(ctx, newId('reward_rule', clock.now())),
      campaign_id: made.id,
      when: when.tier === undefined ? when : { ...when, tier: when.tier.map((tier) => tierIds.get(tier) ?? tier) },
      version: 1,
      changed_at: now,
    });
    keepVersion(ctx, id);
  }
  return made;
}
