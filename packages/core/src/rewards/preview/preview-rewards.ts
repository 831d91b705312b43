import type { WriteCtx } from '../../platform/call/context.ts';
import { find, referenced } from '../../platform/call/records.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Link } from '../../program/links/link.entity.ts';
import { payOnWire } from '../rules/reward-rule.queries.ts';
import { inEffect, loadVersions } from '../rules/rule-versions.ts';
import { assertTiers } from '../tiers/tier.service.ts';
import { amountOf } from '../worth/amount-of.ts';
import { basePay } from '../worth/base-pay.ts';
import { evaluate } from '../worth/evaluate.ts';
import type { PreviewRewards, RewardsPreview } from './preview-rewards.schema.ts';

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
