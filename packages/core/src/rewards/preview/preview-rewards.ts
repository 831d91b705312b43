import { z } from 'zod';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { find, foundOrThrow, referenced } from '../../platform/call/records.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { cents, currency, currencyCode, id, signedCents, text } from '../../platform/wire/scalars.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Link } from '../../program/links/link.ts';
import type { PspCatalog } from '../../sources/catalog/psp-catalog.ts';
import { REWARD_REASONS } from '../reasons.ts';
import type { RewardRule } from '../rules/reward-rule.entity.ts';
import { currentRule, findActive, payOnWire } from '../rules/reward-rule.queries.ts';
import { RewardConditions, RewardPay } from '../rules/reward-rule.schema.ts';
import { inEffect, loadVersions } from '../rules/rule-versions.ts';
import { assertTiers, tiersOf } from '../tiers/tier.ts';
import { amountOf, basePay } from '../worth/amount-of.ts';
import { evaluate } from '../worth/evaluate.ts';
import { CUSTOMER_KINDS, INTERVALS, LINE_NOTES } from '../worth/rule.ts';
import { type Surroundings, WARNING_CODES, warningsOf } from '../worth/warnings.ts';

/** A sale that is not recorded, to see what it would earn now. */
export const PreviewRewards = z
  .strictObject({
    id: id('campaign'),
    currency: currency(),
    lines: z
      .array(
        z.strictObject({
          product: text(255).optional(),
          price: text(255).optional(),
          interval: z.enum(INTERVALS).optional(),
          quantity: z.int().min(1).max(1_000_000).default(1),
          amount_cents: cents().describe('Amount of the line without tax, after discounts.'),
        }),
      )
      .min(1)
      .max(100),
    affiliate_id: id('affiliate').optional(),
    link_id: id('link').optional(),
    codes: z.array(text(255)).max(20).default([]).describe('Codes redeemed with the sale.'),
    metadata: z.record(text(40), z.string().max(500)).default({}).describe('Metadata of the sale.').meta({ example: {} }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, REWARD_REASONS.country_code_form)
      .optional()
      .describe('Country of the customer.'),
    sale_number: z.int().min(1).max(1_000_000).default(1).describe('Place of the sale among those of its referral.'),
    age_months: z.int().min(0).max(1200).default(0).describe('Whole months since the first sale of the referral.'),
    tier_ids: z.array(id('tier')).max(100).default([]).describe('Tiers that the affiliate has.'),
    customer: z.enum(CUSTOMER_KINDS).default('new'),
  })
  .meta({ example: { currency: 'USD', lines: [{ product: 'prod_pro', amount_cents: 4990 }] } });
export type PreviewRewards = z.infer<typeof PreviewRewards>;

export const RewardsPreview = z
  .object({
    amount_cents: signedCents().describe('Amount of the commission of the sale, without `bonuses`.'),
    currency: currencyCode(),
    lines: z.array(
      z.object({
        product: z.string().nullable(),
        rule_id: id('reward_rule').nullable().describe('The rule that decides; `null` for the base reward of the campaign.'),
        rule_name: z.string().nullable(),
        pay: RewardPay,
        note: z.enum(LINE_NOTES).nullable(),
        base_cents: signedCents(),
        amount_cents: signedCents(),
      }),
    ),
    bonuses: z
      .array(
        z.object({
          rule_id: id('reward_rule'),
          rule_name: z.string().meta({ example: 'Annual plans' }),
          amount_cents: signedCents(),
          currency: currencyCode(),
        }),
      )
      .describe('Further commissions of the sale, by rules that pay on top.'),
  })
  .meta({ id: 'RewardsPreview', description: 'Earnings of a sale that is not recorded, by the rules of a campaign.' });
export type RewardsPreview = z.infer<typeof RewardsPreview>;

/** A rule that can never match, or that an earlier one takes cases from. */
export const RewardWarning = z
  .object({
    rule_id: id('reward_rule').nullable().describe('The rule; `null` for a rule that is not created yet.'),
    code: z
      .enum(WARNING_CODES)
      .describe(
        '`shadowed`: an earlier rule always decides; `partly_shadowed`: an earlier rule decides about the sales in `when`, for which this rule is, too; `contradiction`: no sale can meet all conditions; `unknown_product` and `unknown_price`: the connected payment provider has none of them; `ended_tier`: all its tiers have ended; `ended_period`: its period is over.',
      ),
    by_rule_id: id('reward_rule').nullable().describe('The rule that decides before (`shadowed`, `partly_shadowed`).'),
    when: RewardConditions.nullable().describe('Conditions of the sales about which that rule decides (`partly_shadowed`).'),
  })
  .meta({ id: 'RewardWarning', description: 'A reward rule that can never match, or from which an earlier one takes sales.' });
export type RewardWarning = z.infer<typeof RewardWarning>;

export const RewardWarnings = z.object({ data: z.array(RewardWarning) });

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
