import { sql } from 'kysely';
import { COUNTED_SALE, countOf } from '../../ledger/earning/count-sales.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { RANK } from '../../rewards/rules/reward-rule.queries.ts';
import type { Tier } from '../../rewards/tiers/tier.ts';
import type { SpokenRule } from '../../rewards/words/rule-in-words.ts';
import { closedPeriodBefore, type Period, periodOf } from '../../rewards/worth/windows.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { promiseOf } from './campaign-promise.ts';
import type { PortalHome } from './home.schema.ts';

/** Describes what the affiliate earns besides the base reward of the campaign, and the tiers, of which the current one and the next are reached by sales. */
export async function getOwnRewards(
  ctx: AffiliateCtx,
  campaignId: string,
  timeZone: string,
): Promise<Pick<PortalHome, 'rewards' | 'tiers' | 'tier_history'> & { hasExceptions: boolean }> {
  const [rules, tiers] = await Promise.all([findRules(ctx, campaignId), findTiers(ctx, campaignId)]);
  const names = { products: await namesOfProducts(ctx, rules), tiers: new Map(tiers.map(({ id, name }) => [id, name])) };
  return {
    ...promiseOf(rules, names, { now: ctx.now, timeZone }),
    tiers: await Promise.all(tiers.map((tier) => progressOf(ctx, tier))),
    tier_history: await findHistory(ctx, campaignId),
  };
}

/** Finds the rules that pay now or later, in the order in which they decide. */
function findRules({ mine, now }: AffiliateCtx, campaignId: string): Promise<SpokenRule[]> {
  return mine.rows(
    ['reward_rule'],
    sql<SpokenRule>`
      select event, "when", reward as pay, apply, cap, milestone, link_id, "from", until from reward_rule
      where campaign_id = ${campaignId} and (until is null or until > ${now}::timestamptz)
      order by ${RANK}, id`,
  );
}

function findTiers({ mine }: AffiliateCtx, campaignId: string): Promise<Tier[]> {
  return mine('tier')
    .selectFrom('tier')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('from')
    .orderBy('id')
    .execute();
}

/** Maximum number of periods of tiers that the portal shows. */
const MAX_PERIODS = 24;

/** Finds the periods of the affiliate’s tiers that have not ended for all, newest first. */
function findHistory({ mine }: AffiliateCtx, campaignId: string): Promise<PortalHome['tier_history']> {
  return mine.rows(
    ['tier', 'affiliate_tier'],
    sql<PortalHome['tier_history'][number]>`
      select tier.name, since, until from affiliate_tier join tier on tier.id = affiliate_tier.tier_id
      where affiliate_tier.campaign_id = ${campaignId} order by since desc, tier."from" desc limit ${MAX_PERIODS}`,
  );
}

/** Returns the names of the products that rules name, as far as the affiliate has sold them. */
async function namesOfProducts({ mine }: AffiliateCtx, rules: readonly SpokenRule[]): Promise<Map<string, string>> {
  const products = [...new Set(rules.flatMap(({ when }) => when.products ?? []))];
  if (products.length === 0) return new Map();
  const rows = await mine.rows(
    ['sale_line'],
    sql<{ product: string; name: string }>`
      select product, name from unnest(${products}::text[]) as product
      cross join lateral (select name from sale_line where sale_line.product = product.product and name is not null limit 1) known`,
  );
  return new Map(rows.map(({ product, name }) => [product, name]));
}

/** Counts what the affiliate has reached of a tier: in the closed period, which decides now, and in the current one. */
async function progressOf(ctx: AffiliateCtx, tier: Tier): Promise<PortalHome['tiers'][number]> {
  const { id, name, metric, currency, window, from } = tier;
  const current: Period = window === 'ever' ? { from: null, until: null } : periodOf(window, ctx.now);
  const [closed, count] = await Promise.all([
    countOwn(ctx, tier, closedPeriodBefore(window, ctx.now)),
    countOwn(ctx, tier, current),
  ]);
  return { id, name, metric, currency, window, from, is_reached: closed >= from, count };
}

async function countOwn(
  { mine }: AffiliateCtx,
  { metric, currency, campaign_id }: Tier,
  { from, until }: { from: Instant | null; until: Instant | null },
): Promise<number> {
  const [row] = await mine.rows(
    ['commission', 'commission_line', 'sale'],
    sql<{ count: number }>`
      select ${countOf(metric, currency)} as count from commission join sale on sale.id = commission.sale_id
      where commission.campaign_id = ${campaign_id} and ${COUNTED_SALE}
        and (${from}::timestamptz is null or sale.charged_at >= ${from}::timestamptz)
        and (${until}::timestamptz is null or sale.charged_at < ${until}::timestamptz)`,
  );
  return row!.count;
}
