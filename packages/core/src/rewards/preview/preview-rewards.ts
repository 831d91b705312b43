import type { WriteCtx, Ctx } from '../../platform/call/context.ts';
import { find, referenced, foundOrThrow } from '../../platform/call/records.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Link } from '../../program/links/link.entity.ts';
import type { PspCatalog } from '../../sources/catalog/psp-catalog.ts';
import type { RewardRule } from '../rules/reward-rule.entity.ts';
import { payOnWire, currentRule, findActive } from '../rules/reward-rule.queries.ts';
import { inEffect, loadVersions } from '../rules/rule-versions.ts';
import { tiersOf } from '../tiers/tier.queries.ts';
import { assertTiers } from '../tiers/tier.service.ts';
import { amountOf, basePay } from '../worth/amount-of.ts';
import { evaluate } from '../worth/evaluate.ts';
import { type Surroundings, warningsOf } from '../worth/warnings.ts';
import type { PreviewRewards, RewardsPreview, RewardWarning } from './preview-rewards.schema.ts';

/**
 * Returns what a sale would earn if it were charged now, and which rule decides about each line (docs/rules/rewards.md#reward-rules). Caps count as
 * unused. Throws NOT_FOUND; VALIDATION_ERROR for an unknown affiliate, link or tier.
 */
export async function previewRewards(
  ctx: WriteCtx,
  { id, affiliate_id, link_id, tier_ids, ...sale }: PreviewRewards,
): Promise<RewardsPreview> {
  const campaign = await find(ctx, Campaign, id);
  if (campaign === null) throw notFound('campaign');
  if (affiliate_id !== undefined) await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  await assertTiers(ctx, campaign.id, tier_ids, 'tier_ids');
  const link = link_id === undefined ? null : await referenced(ctx, Link, link_id, 'link_id');
  const rules = inEffect(await loadVersions(ctx, [campaign.id]), ctx.now);
  const lines = sale.lines.map(({ product = null, price = null, interval = null, quantity, amount_cents }) => ({
    product,
    price,
    interval,
    quantity,
    net_cents: amount_cents,
  }));
  const { sale: terms, bonuses } = evaluate(
    { rules, base: basePay(campaign) },
    {
      ...sale,
      at: ctx.now,
      affiliate_id: affiliate_id ?? link?.affiliate_id ?? '',
      link_id: link?.id ?? null,
      lines,
      country: sale.country ?? null,
      tiers: tier_ids,
      used_cents: {},
    },
  );
  const nets = lines.map(({ net_cents }) => net_cents);
  const amount = amountOf(terms, nets);
  const names = await namesOf(ctx, campaign.id);
  return {
    amount_cents: amount.cents,
    currency: terms.currency,
    lines: terms.lines.map(({ rule_id, pay, note }, i) => ({
      product: lines[i]!.product,
      rule_id,
      rule_name: rule_id === null ? null : names.get(rule_id)!,
      pay: payOnWire(pay),
      note,
      base_cents: amount.lines[i]!.base_cents,
      amount_cents: amount.lines[i]!.cents,
    })),
    bonuses: bonuses.flatMap((bonus) => {
      const rule_id = bonus.lines[0]!.rule_id!;
      const { cents } = amountOf(bonus, nets);
      return cents === 0 ? [] : [{ rule_id, rule_name: names.get(rule_id)!, amount_cents: cents, currency: bonus.currency }];
    }),
  };
}

async function namesOf({ db, accountId }: WriteCtx, campaignId: string): Promise<Map<string, string>> {
  const rules = await db
    .selectFrom('reward_rule')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .execute();
  return new Map(rules.map(({ id, name }) => [id, name]));
}

/** The products and prices of the connected payment provider. Null if they are not known. */
export type Sold = Pick<Surroundings, 'products' | 'prices'>;

export const NOT_KNOWN: Sold = { products: null, prices: null };

/** Returns what a catalog says about products and prices. An incomplete catalog says nothing about those that it lacks. */
export function soldIn({ connected, is_complete, products, prices }: PspCatalog): Sold {
  if (!connected || !is_complete) return NOT_KNOWN;
  return { products: new Set(products.map(({ id }) => id)), prices: new Set(prices.map(({ id }) => id)) };
}

/** Returns the warnings about the rules of a campaign that have not ended (docs/rules/rewards.md#warnings). Throws NOT_FOUND. */
export async function findWarnings(ctx: Ctx, campaignId: string, sold: Sold): Promise<RewardWarning[]> {
  const { db, accountId } = ctx;
  const campaign = db.selectFrom('campaign').select('id').where('account_id', '=', accountId).where('id', '=', campaignId);
  foundOrThrow(await campaign.executeTakeFirst(), 'campaign');
  return warnAbout(ctx, campaignId, await findActive(ctx, campaignId).execute(), sold);
}

/** Returns the warnings about rules of a campaign, which may not be stored yet. */
export async function warnAbout(
  ctx: Pick<Ctx, 'db' | 'accountId' | 'now'>,
  campaignId: string,
  rules: readonly RewardRule[],
  sold: Sold,
): Promise<RewardWarning[]> {
  if (rules.length === 0) return [];
  const tiers = await tiersOf(ctx, [campaignId]);
  const current = tiers.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
  return warningsOf(rules.map(currentRule), { now: ctx.now, ...sold, tiers: new Set(current) }) as RewardWarning[];
}
