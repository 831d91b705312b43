import { sql } from 'kysely';
import { shownState } from '../../identity/affiliations/affiliations.ts';
import { NEEDS_REVIEW } from '../../ledger/commissions/commission.transitions.ts';
import { COUNTED_SALE, countOf } from '../../ledger/earning/count-sales.ts';
import { CREDITED_STATE } from '../../ledger/earning/credited.ts';
import { outlookOfRow, selectOwed } from '../../ledger/payouts/payment-outlook.queries.ts';
import type { PaymentOutlook } from '../../ledger/payouts/payout.schema.ts';
import { inEachLanguage } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { copyUrl, trackingUrl } from '../../program/links/link-url.ts';
import { RANK } from '../../rewards/rules/reward-rule.queries.ts';
import type { Tier } from '../../rewards/tiers/tier.ts';
import type { SpokenRule } from '../../rewards/words/rule-in-words.ts';
import { closedPeriodBefore, type Period, periodOf } from '../../rewards/worth/windows.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { EARNS, findLinkHome } from '../links/link.ts';
import { findSelf, type Self } from '../self/self.ts';
import { changedParagraphs, type PresentTerms, presentTerms } from '../terms/terms.ts';
import type { PortalHome } from './home.schema.ts';
import { formerReward, type FormerTerms, joinRewardChange, promiseOf, rewardInLanguages, rewardInWords } from './reward.ts';

/** Returns the data of an affiliate's start page. */
export async function getHome(ctx: AffiliateCtx): Promise<PortalHome> {
  const [self, links, funnel, earnings, terms] = await Promise.all([
    findSelf(ctx),
    newestLinks(ctx),
    countFunnel(ctx),
    sumEarnings(ctx),
    presentTerms(ctx),
  ]);
  const { affiliate_id, first_name, state, account_name, time_zone, campaign } = self;
  const { hasExceptions, ...rewards } = await getOwnRewards(ctx, campaign.id, time_zone);
  const toAccept = terms && !terms.accepted && state !== 'disabled' ? termsToAccept(terms) : null;
  return {
    affiliate_id,
    first_name,
    state: shownState(state),
    account_name,
    campaign: {
      id: campaign.id,
      name: campaign.name,
      url: campaign.url,
      reward: rewardInWords(campaign, 'en', hasExceptions),
      reward_in: rewardInLanguages(campaign, hasExceptions),
      welcome_text: campaign.welcome_text,
      affiliate_dashboard_text: campaign.affiliate_dashboard_text,
      archived_at: campaign.archived_at,
      reward_change: await findRewardChange(ctx, campaign, hasExceptions),
    },
    ...rewards,
    terms: toAccept,
    links: toAccept?.is_due ? [] : links,
    ...funnel,
    earnings,
  };
}

function termsToAccept({ version, body, summary, applies_from, is_due, former }: PresentTerms): PortalHome['terms'] {
  return { version, body, summary, applies_from, is_due, changes: former === null ? null : changedParagraphs(former, body) };
}

/** Number of days for which the portal shows a change of the reward. */
const CHANGE_DAYS = 30;

/** Finds the last change of the terms of the affiliate's campaign, if the affiliate was there before. */
async function findRewardChange(
  { mine, now }: AffiliateCtx,
  campaign: Self['campaign'],
  hasExceptions: boolean,
): Promise<PortalHome['campaign']['reward_change']> {
  const [change] = await mine.rows(
    ['campaign', 'campaign_terms', 'affiliate'],
    sql<{ at: Instant; terms: FormerTerms }>`
      select change.at, change.terms from affiliate join campaign on campaign.id = affiliate.campaign_id
      ${joinRewardChange(plusDays(now, -CHANGE_DAYS))}
      where affiliate.created_at < change.at`,
  );
  if (!change) return null;
  const former_in = inEachLanguage((language) => formerReward(change.terms, campaign, language, hasExceptions));
  return former_in.en === '' ? null : { at: change.at, former_in };
}

async function newestLinks(ctx: AffiliateCtx): Promise<PortalHome['links']> {
  const rows = await ctx
    .mine('link', 'campaign', 'affiliate')
    .selectFrom('link')
    .innerJoin('campaign', 'campaign.id', 'link.campaign_id')
    .innerJoin('affiliate', 'affiliate.id', 'link.affiliate_id')
    .select(['link.id', 'link.token', 'link.label', 'link.url', 'campaign.parameter_type', EARNS.as('earns')])
    .where('link.archived_at', 'is', null)
    .orderBy('link.id', 'desc')
    .limit(3)
    .execute();
  const linkHome = await findLinkHome(ctx);
  return rows.map(({ parameter_type, ...link }) => ({
    ...link,
    tracking_url: trackingUrl(ctx.publicUrl, linkHome.account_slug, link.token),
    copy_url: copyUrl({ ...link, parameter_type }, linkHome),
  }));
}

type Funnel = Pick<PortalHome, 'clicks' | 'visitors' | 'leads' | 'conversions'>;

async function countFunnel({ mine }: AffiliateCtx): Promise<Funnel> {
  const [funnel] = await mine.rows(
    ['referral', 'visitor_count', 'link_clicks'],
    sql<Funnel>`
      select coalesce((select sum(clicks) from link_clicks), 0) as clicks,
        count(*) + coalesce((select sum(visitors) from visitor_count), 0) as visitors,
        count(*) filter (where conversion_state in ('lead', 'conversion')) as leads,
        count(*) filter (where conversion_state = 'conversion') as conversions
      from referral`,
  );
  return funnel!;
}

type Sums = Omit<PortalHome['earnings'][number], 'outlook'>;

/** Sums up what the affiliate has earned, by currency. */
export async function sumEarnings(ctx: AffiliateCtx): Promise<PortalHome['earnings']> {
  const [sums, outlooks] = await Promise.all([
    ctx.mine.rows(
      ['commission', 'payout_item', 'payout'],
      sql<Sums>`
      select currency,
        coalesce(sum(amount_cents) filter (where credited_state = 'pending' and not in_review), 0) as pending_cents,
        coalesce(sum(amount_cents) filter (where credited_state in ('pending', 'due') and in_review), 0) as in_review_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'due' and not in_review), 0) as due_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'paid'), 0) as paid_cents
      from (
        select commission.*, ${CREDITED_STATE} as credited_state, ${NEEDS_REVIEW} is true as in_review
        from commission
      ) commission
      group by currency order by currency`,
    ),
    findOwnOutlooks(ctx),
  ]);
  return sums.map((sum) => ({ ...sum, outlook: outlooks.find(({ currency }) => currency === sum.currency) ?? null }));
}

/** Finds what the affiliate is paid next, by currency. */
async function findOwnOutlooks(ctx: AffiliateCtx): Promise<PaymentOutlook[]> {
  const { mine, affiliate, now } = ctx;
  const tables = ['affiliate', 'campaign', 'commission', 'payout', 'payout_method', 'payout_attempt'] as const;
  const rows = await mine.rows(tables, selectOwed(sql`array[${affiliate.id}]`, now));
  return rows.map((row) => outlookOfRow(ctx, row, now));
}

/** Describes what the affiliate earns besides the base reward of the campaign, and the tiers, of which the current one and the next are reached by sales. */
async function getOwnRewards(
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
