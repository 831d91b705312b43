/** Has later sales decided again, because their place among the sales of a referral or a customer has changed (docs/rules/rewards.md#versions). */
import { sql } from 'kysely';
import type { Commission } from '../ledger/commissions/commission.entity.ts';
import { queueSaleDecisions, queueSharingCaps } from '../ledger/queued-decisions/queue-decisions.ts';
import { isLive, isPurchase, KIND_OF_SALE, type Sale, SALE_KINDS } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import { dependsOnHistory, hasSharedCap } from '../rewards/worth/rule.ts';
import { chargeKey, type Facts } from './decide/facts.ts';

/** The place of a sale among the purchases of its referral and of its customer. */
interface Place {
  at: Instant;
  /** Place among charges of the same second (`chargeKey`). */
  key: string;
  isLive: boolean;
  referralId: string | null;
  customerId: string | null;
}

/** A sale whose place the transaction has changed. Null stands for no place. */
interface MovedSale {
  id: string;
  places: readonly (Place | null)[];
  /** True if its own commission may depend on other sales than before: it was recorded earlier, and has another customer or key now. */
  isAffected: boolean;
  /** True if only the key has changed, so that only sales of the same second may come after it now, or no longer. */
  isReordered: boolean;
}

/**
 * Returns the sales of the facts whose place this transaction has changed, by whatever fact: new ones, corrected amounts, exclusions, other times and
 * modes, other referrals and customers. Must be called after the decision was applied.
 */
function movedSales(ctx: WriteCtx, { sales }: Facts): MovedSale[] {
  const changes = changesOf(ctx, 'sale');
  return sales.flatMap(({ sale, isOnlyCounted }): MovedSale[] => {
    const previous = changes.get(sale.id);
    if (isOnlyCounted || previous === undefined) return [];
    const former = previous === null ? null : { ...sale, ...(previous as Partial<Sale>) };
    const [from, to] = [former && placeOf(former), placeOf(sale)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const isReordered = from !== null && to !== null && JSON.stringify({ ...from, key: to.key }) === JSON.stringify(to);
    const isAffected = isReordered || (former !== null && former.customer_id !== sale.customer_id);
    return [{ id: sale.id, places: [from, to], isAffected, isReordered }];
  });
}

/** Returns the former values of the records of a table that this transaction has changed, by their ids. Null for those that it has created. */
function changesOf(ctx: WriteCtx, table: 'sale' | 'commission'): Map<string, Readonly<Record<string, unknown>> | null> {
  return new Map(
    ctx.records.changes.flatMap((change) =>
      'previous' in change && change.table === table ? [[change.id, change.previous] as const] : [],
    ),
  );
}

function placeOf(sale: Sale): Place | null {
  if (!isPurchase(sale)) return null;
  return {
    at: sale.charged_at,
    key: chargeKey(sale),
    isLive: isLive(sale),
    referralId: sale.referral_id,
    customerId: sale.customer_id,
  };
}

function mayDependOnHistory(rewards: Facts['rewards']): boolean {
  return rewards !== null && [...rewards.rules.values()].flat().some(dependsOnHistory);
}

/**
 * Has the sales decided again, by a job, that come after sales whose place has changed. Costs no statement if no rule depends on earlier sales, or if
 * no later sale is known.
 */
export function reopenLaterSales(ctx: WriteCtx, facts: Facts): void {
  if (!mayDependOnHistory(facts.rewards)) return;
  const [reordered, moved] = [true, false].map((isReordered) =>
    movedSales(ctx, facts).filter((sale) => sale.isReordered === isReordered),
  ) as [MovedSale[], MovedSale[]];
  reopenAfter(ctx, facts, moved, null);
  for (const sale of reordered) reopenAfter(ctx, facts, [sale], sale.places[0]!.at);
}

/**
 * Has a job decide later sales again that share a cap with a sale whose record or commission this transaction has changed. Must be called after the
 * decision was applied.
 */
export function reopenSharingCaps(ctx: WriteCtx, { sales, rewards }: Facts): void {
  if (rewards === null || ![...rewards.rules.values()].flat().some(hasSharedCap)) return;
  const changedSales = changesOf(ctx, 'sale');
  const saleOf = (id: string) => (ctx.records.find('commission', id) as Commission | undefined)?.sale_id;
  const ofSale = Map.groupBy(changesOf(ctx, 'commission').keys(), saleOf);
  const changed = sales.filter(({ sale: { id }, isOnlyCounted }) => !isOnlyCounted && (changedSales.has(id) || ofSale.has(id)));
  const ids = changed.flatMap(({ sale, commission }) => [
    ...(ofSale.get(sale.id) ?? []),
    ...(commission === null ? [] : [commission.id]),
  ]);
  if (ids.length === 0) return;
  const times = changed.flatMap(({ sale }) => [
    sale.charged_at,
    (changedSales.get(sale.id)?.['charged_at'] as Instant) ?? sale.charged_at,
  ]);
  const decided = sales.flatMap((fact) => (fact.isOnlyCounted || fact.isClaimed ? [] : [fact.sale.id]));
  queueSharingCaps(ctx, sql`select unnest(${ids}::text[])`, times.reduce(earlierOf), decided);
}

/** @param until the time of the last sales that are decided again, or null */
function reopenAfter(ctx: WriteCtx, facts: Facts, moved: readonly MovedSale[], until: Instant | null): void {
  const places = moved.flatMap((sale) => sale.places.filter((place) => place !== null));
  if (places.length === 0) return;
  const [first] = moved;
  const at = places.map((place) => place.at).reduce(earlierOf);
  const modes = new Set(places.map((place) => place.isLive));
  // Of several sales, each comes after another one.
  const isAlone = moved.length === 1;
  const dependsOnOthers = isAlone && (first!.isReordered || !first!.isAffected);
  if (dependsOnOthers && !hasLaterSales(facts, { ownId: first!.id, at, until, modes })) return;
  const ownId = isAlone && !first!.isAffected ? first!.id : null;
  const kinds = [...modes].flatMap((mode) => (mode ? [SALE_KINDS.merchant, SALE_KINDS.provider] : [SALE_KINDS.test]));
  const isLater = sql<boolean>`(sale.charged_at >= ${at}::timestamptz and sale.id is distinct from ${ownId} and sale.account_id = ${ctx.accountId}
    and (${until}::timestamptz is null or sale.charged_at <= ${until}::timestamptz) and ${KIND_OF_SALE} = any (${kinds}::int[]))`;
  const idsOf = (name: 'referralId' | 'customerId') =>
    [...new Set(places.map((place) => place[name]))].filter((id) => id !== null);
  queueSaleDecisions(
    ctx,
    sql`
      select id, account_id from sale where referral_id = any (${idsOf('referralId')}::text[]) and ${isLater}
      union
      select id, account_id from sale where customer_id = any (${idsOf('customerId')}::text[]) and ${isLater}`,
  );
}

/** True if one of the facts is another sale from `at` until `until`. They contain those of the customer, and of each referral those that rules tell apart. */
function hasLaterSales(
  { sales, rewards }: Facts,
  { ownId, at, until, modes }: { ownId: string; at: Instant; until: Instant | null; modes: ReadonlySet<boolean> },
): boolean {
  const isLater = (id: string, chargedAt: Instant, isLiveSale: boolean) =>
    id !== ownId && chargedAt >= at && (until === null || chargedAt <= until) && modes.has(isLiveSale);
  return (
    sales.some(({ sale }) => isLater(sale.id, sale.charged_at, isLive(sale))) ||
    rewards!.history.some((other) => isLater(other.id, other.charged_at, other.is_live))
  );
}
