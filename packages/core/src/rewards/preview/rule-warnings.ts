import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { PspCatalog } from '../../sources/catalog/psp-catalog.schema.ts';
import type { RewardRule } from '../rules/reward-rule.entity.ts';
import { currentRule, findActive } from '../rules/reward-rule.queries.ts';
import { tiersOf } from '../tiers/tier.queries.ts';
import { type Surroundings, warningsOf } from '../worth/warnings.ts';
import type { RewardWarning } from './rule-warnings.schema.ts';

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
