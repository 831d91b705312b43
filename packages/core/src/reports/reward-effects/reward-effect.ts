/** Cost of a change of rewards for recent sales (docs/rules/rewards.md#effects). */
import { mapInParts } from '@affiliate/postgres';
import { sql } from 'kysely';
import { z } from 'zod';
import { type FactsAround, type KeptLine, type SaleWorth, worthByRules } from '../../ledger/earning/worth.ts';
import { IS_LIVE_SALE, IS_PURCHASE, Sale } from '../../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { find, load } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { amountIn, listIn } from '../../platform/mail/in-language.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { type CampaignTerms, currencyOfAccount, rewardOf } from '../../program/campaigns/campaign.service.ts';
import { UpdateCampaign } from '../../program/campaigns/campaign.ts';
import { RewardWarning, type Sold, warnAbout } from '../../rewards/preview/preview-rewards.ts';
import { currentRule } from '../../rewards/rules/reward-rule.queries.ts';
import { CreateRewardRule, MAX_RULES, UpdateRewardRule } from '../../rewards/rules/reward-rule.schema.ts';
import { planChange } from '../../rewards/rules/reward-rule.service.ts';
import type { Rule } from '../../rewards/worth/rule.ts';
import { periodOf, wholeMonths } from '../../rewards/worth/windows.ts';
import { REPORT_REASONS } from '../reasons.ts';

/** Days of which the sales are computed. */
const EFFECT_DAYS = 30;
/** Maximum number of sales that are computed. */
const MAX_EFFECT_SALES = 2_000;

/** A change of the rewards of a campaign that is not made, to see what it changes. */
export const PreviewRewardChange = z
  .strictObject({
    id: id('campaign'),
    create: CreateRewardRule.omit({ campaign_id: true }).optional().describe('A new rule.'),
    update: z
      .strictObject(UpdateRewardRule.shape)
      .meta({ example: { id: 'rule_01k9v7m3q8e2t4r6w8y0a1b2c3', pay: { percent: 25 } } })
      .optional()
      .describe('New values of a rule.'),
    end: id('reward_rule').optional().describe('A rule to end.'),
    rule_ids: z.array(id('reward_rule')).min(1).max(MAX_RULES).optional().describe('Rules in a new order.'),
    base: UpdateCampaign.pick({
      reward_type: true,
      commission_percent: true,
      commission_amount_cents: true,
      commission_amount_currency: true,
    })
      .optional()
      .describe('A new base reward of the campaign.'),
  })
  .meta({ example: { create: { name: 'Pro', when: { products: ['prod_pro'] }, pay: { percent: 25 } } } });
export type PreviewRewardChange = z.infer<typeof PreviewRewardChange>;

export const RewardEffect = z
  .object({
    explanation: z.string().describe('Meaning of the change, in plain words.'),
    from: instant().describe('Start of the time whose sales are computed.'),
    until: instant(),
    sales_count: z.int().describe('Number of sales that are computed.'),
    is_complete: z
      .boolean()
      .describe(`\`false\` if there are more than ${MAX_EFFECT_SALES} sales. Then the latest ${MAX_EFFECT_SALES} are computed.`),
    totals: z
      .array(
        z.object({
          currency: currencyCode(),
          current_cents: signedCents().describe('Cost of these sales by the rules as they are now.'),
          changed_cents: signedCents().describe('Cost of these sales by the changed rules.'),
        }),
      )
      .describe('One entry for each currency.'),
    warnings: z
      .array(RewardWarning)
      .describe('Rules that could never match after the change, or from which an earlier one would take sales.'),
  })
  .meta({
    id: 'RewardEffect',
    description:
      'Cost that the sales of a campaign would have had with other rewards. Rewards for leads and milestones are left out.',
  });
export type RewardEffect = z.infer<typeof RewardEffect>;

/** A recent sale with the facts that decide what it is worth. */
interface RecentSale {
  sale: Sale;
  lines: readonly KeptLine[] | null;
  around: Omit<FactsAround, 'used_cents'>;
  referralId: string;
}

/**
 * Computes what the sales of the last days would have cost by the rules as they are and after a change, by the same function that decides about sales.
 * Changes nothing. The rules are applied as if they had been in force at each charge: rules whose period has not begun count, rules whose period is
 * over do not. Caps are used up by these sales only.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR
 */
export async function previewRewardChange(
  ctx: WriteCtx,
  { id, base, ...change }: PreviewRewardChange,
  sold: Sold,
): Promise<RewardEffect> {
  const campaign = await find(ctx, Campaign, id);
  if (campaign === null) throw notFound('campaign');
  const given = [base, ...Object.values(change)].filter((value) => value !== undefined);
  if (given.length === 0) throw invalid('create', REPORT_REASONS.no_change_given, 'required');
  const { before, after } = await planChange(ctx, id, change);
  const terms =
    base === undefined
      ? campaign
      : { ...campaign, ...rewardOf(campaign, base.reward_type ?? campaign.reward_type, base, await currencyOfAccount(ctx)) };
  const [from, until] = [plusDays(ctx.now, -EFFECT_DAYS), ctx.now];
  const found = await findRecent(ctx, id, from);
  const sales = found.slice(-MAX_EFFECT_SALES);
  const current = await costOf(sales, before.map(currentRule), campaign, ctx.now);
  const changed = await costOf(sales, after.map(currentRule), terms, ctx.now);
  const totals = [...new Set([...current.keys(), ...changed.keys()])].toSorted().map((currency) => ({
    currency,
    current_cents: current.get(currency) ?? 0,
    changed_cents: changed.get(currency) ?? 0,
  }));
  const stored = new Set(before.map((rule) => rule.id));
  const known = (ruleId: string | null) => (ruleId !== null && stored.has(ruleId) ? ruleId : null);
  return {
    explanation: explanationOf(totals),
    from,
    until,
    sales_count: sales.length,
    is_complete: found.length === sales.length,
    totals,
    warnings: (await warnAbout(ctx, id, after, sold)).map((warning) => ({
      ...warning,
      rule_id: known(warning.rule_id),
      by_rule_id: known(warning.by_rule_id),
    })),
  };
}

function explanationOf(totals: RewardEffect['totals']): string {
  const amounts = (of: 'current_cents' | 'changed_cents') =>
    listIn(
      'en',
      totals.map((total) => amountIn('en', { amount_cents: total[of], currency: total.currency })),
    );
  const days = `the last ${EFFECT_DAYS} days`;
  if (totals.length === 0) return `Applies to sales from now on. No sale of ${days} would have earned anything.`;
  if (totals.every(({ current_cents, changed_cents }) => current_cents === changed_cents))
    return `Applies to sales from now on; ${days} would have cost the same: ${amounts('current_cents')}.`;
  return `Applies to sales from now on; ${days} would have cost ${amounts('changed_cents')} instead of ${amounts('current_cents')}.`;
}

/** Returns what sales cost by rules, by currency. */
async function costOf(
  sales: readonly RecentSale[],
  rules: readonly Rule[],
  base: CampaignTerms,
  now: Instant,
): Promise<Map<string, number>> {
  const inForce = rules.flatMap((rule) =>
    rule.until !== null && rule.until <= now ? [] : [{ ...rule, from: null, until: null }],
  );
  const caps = new UsedCaps(inForce);
  const totals = new Map<string, number>();
  await mapInParts(sales, (each) => {
    const worth = worthByRules(each.sale, each.lines, inForce, base, { ...each.around, used_cents: caps.usedFor(each) });
    caps.use(each, worth);
    for (const { terms, amount } of [worth, ...worth.bonuses])
      if (amount.cents !== 0) totals.set(terms.currency, (totals.get(terms.currency) ?? 0) + amount.cents);
  });
  return totals;
}

/** Amounts that rules with a cap have paid for the sales so far. */
class UsedCaps {
  readonly #capped: readonly Rule[];
  readonly #used = new Map<string, number>();

  constructor(rules: readonly Rule[]) {
    this.#capped = rules.filter(({ cap }) => cap !== null && cap.per !== 'sale');
  }

  usedFor(sale: RecentSale): Record<string, number> {
    return Object.fromEntries(this.#capped.map((rule) => [rule.id, this.#used.get(keyOf(rule, sale)) ?? 0]));
  }

  use(sale: RecentSale, worth: SaleWorth): void {
    for (const rule of this.#capped) {
      const paid = [worth, ...worth.bonuses]
        .filter(({ terms }) => terms.currency === rule.cap!.currency)
        .flatMap(({ terms, amount }) => terms.lines.map(({ rule_id }, i) => (rule_id === rule.id ? amount.lines[i]!.cents : 0)))
        .reduce((sum, cents) => sum + cents, 0);
      if (paid > 0) this.#used.set(keyOf(rule, sale), (this.#used.get(keyOf(rule, sale)) ?? 0) + paid);
    }
  }
}

/** Names the cap of a rule for the owner and the period of a sale. */
function keyOf({ id, cap }: Rule, { referralId, around, sale }: RecentSale): string {
  const owner = cap!.per === 'affiliate' ? around.affiliate_id : referralId;
  return `${id} ${owner} ${periodOf(cap!.window, sale.charged_at).from}`;
}

interface AroundRow {
  id: string;
  referral_id: string;
  affiliate_id: string;
  link_id: string | null;
  country: string | null;
  earlier_sales: number;
  first_charged_at: Instant | null;
  is_returning: boolean;
  tiers: string[];
}

/** Loads the latest live sales of a campaign that may earn, one more than are computed, oldest first. */
async function findRecent(ctx: WriteCtx, campaignId: string, from: Instant): Promise<RecentSale[]> {
  const { db, accountId, now } = ctx;
  const { rows } = await sql<AroundRow>`
    with recent as (
      select sale.id, sale.referral_id, sale.affiliate_id, sale.customer_id, sale.charged_at, referral.link_id
      from sale join referral on referral.id = sale.referral_id
      where sale.account_id = ${accountId} and referral.campaign_id = ${campaignId} and ${IS_LIVE_SALE} and ${IS_PURCHASE}
        and sale.affiliate_id is not null
        and sale.charged_at >= ${from}::timestamptz and sale.charged_at <= ${now}::timestamptz
        and (sale.no_commission_reason is null or sale.no_commission_reason = 'nothing_to_earn')
      order by sale.charged_at desc, sale.id desc limit ${MAX_EFFECT_SALES + 1}
    )
    select recent.id, recent.referral_id, recent.affiliate_id, recent.link_id, source.country, earlier.count as earlier_sales,
      wire_time(earlier.first) as first_charged_at,
      exists (
        select from sale where sale.customer_id = recent.customer_id and ${EARLIER_SALE}
      ) or (recent.customer_id is null and earlier.count > 0) as is_returning,
      array(
        select tier_id from affiliate_tier tier
        where tier.affiliate_id = recent.affiliate_id and tier.campaign_id = ${campaignId}
          and tier.since <= recent.charged_at and (tier.until is null or tier.until > recent.charged_at)) as tiers
    from recent left join referral_source source on source.referral_id = recent.referral_id
    cross join lateral (
      select count(*) as count, min(sale.charged_at) as first from sale where sale.referral_id = recent.referral_id and ${EARLIER_SALE}
    ) earlier
    order by recent.charged_at, recent.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [sales, lines] = await Promise.all([
    load(ctx, Sale, db.selectFrom('sale').selectAll().where('account_id', '=', accountId).where(oneOf('id', ids))),
    sql<KeptLine & { sale_id: string }>`
      select sale_id, product, price, interval, quantity, net_cents, refunded_cents from sale_line
      where account_id = ${accountId} and sale_id = any (${ids}::text[]) order by sale_id, line`.execute(db),
  ]);
  const saleOf = new Map(sales.map((sale) => [sale.id, sale]));
  const linesOf = Map.groupBy(lines.rows, ({ sale_id }) => sale_id);
  return rows.map((row) => {
    const sale = saleOf.get(row.id)!;
    return {
      sale,
      lines: linesOf.get(row.id) ?? null,
      referralId: row.referral_id,
      around: {
        at: sale.charged_at,
        codes: sale.promo_code === null ? [] : [sale.promo_code],
        affiliate_id: row.affiliate_id,
        link_id: row.link_id,
        country: row.country,
        sale_number: row.earlier_sales + 1,
        age_months: row.first_charged_at === null ? 0 : wholeMonths(row.first_charged_at, sale.charged_at),
        customer: row.is_returning ? 'returning' : 'new',
        tiers: row.tiers,
      },
    };
  });
}

/** SQL condition: a row of `sale` counts as an earlier sale than the row `recent`. */
const EARLIER_SALE = sql<boolean>`(
  (sale.charged_at, sale.id) < (recent.charged_at, recent.id) and ${IS_LIVE_SALE} and ${IS_PURCHASE})`;
