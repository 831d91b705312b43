/** Has later sales decided again, because their place among the sales of a referral or a customer has changed (docs/rules/rewards.md#versions). */
import { sql } from 'kysely';
import { queueSaleDecisions } from '../ledger/queued-decisions/queue-decisions.ts';
import { isPurchase } from '../ledger/sales/purchase.ts';
import { isLive, KIND_OF_SALE, SALE_KINDS } from '../ledger/sales/sale-mode.ts';
import type { Sale } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import type { RuleVersion } from '../rewards/rules/rule-versions.ts';
import type { Facts } from './facts.ts';

/** The place of a sale among the purchases of its referral and of its customer. */
interface Place {
  at: Instant;
  isLive: boolean;
  referralId: string | null;
  customerId: string | null;
}

/** A sale whose place the transaction has changed. Null stands for no place. */
interface MovedSale {
  id: string;
  places: readonly (Place | null)[];
  /** True if the sale was recorded earlier and has another customer now, so that its own commission may depend on other sales than before. */
  hasOtherCustomer: boolean;
}

/**
 * Returns the sales of the facts whose place this transaction has changed, by whatever fact: new ones, corrected amounts, exclusions, other times and
 * modes, other referrals and customers. Must be called after the decision was applied.
 */
function movedSales(ctx: WriteCtx, { sales }: Facts): MovedSale[] {
  const changes = new Map(
    ctx.records.changes.flatMap((change) =>
      'previous' in change && change.table === 'sale' ? [[change.id, change.previous] as const] : [],
    ),
  );
  return sales.flatMap(({ sale, isOnlyCounted }): MovedSale[] => {
    const previous = changes.get(sale.id);
    if (isOnlyCounted || previous === undefined) return [];
    const former = previous === null ? null : { ...sale, ...(previous as Partial<Sale>) };
    const places = [former && placeOf(former), placeOf(sale)];
    if (JSON.stringify(places[0]) === JSON.stringify(places[1])) return [];
    return [{ id: sale.id, places, hasOtherCustomer: former !== null && former.customer_id !== sale.customer_id }];
  });
}

function placeOf(sale: Sale): Place | null {
  if (!isPurchase(sale)) return null;
  return { at: sale.charged_at, isLive: isLive(sale), referralId: sale.referral_id, customerId: sale.customer_id };
}

function mayDependOnHistory(rewards: Facts['rewards']): boolean {
  return rewards !== null && [...rewards.rules.values()].flat().some(dependsOnHistory);
}

/** True if a rule depends on the earlier sales of a referral or a customer. */
export function dependsOnHistory({ when }: Pick<RuleVersion, 'when'>): boolean {
  return when.sale_number !== undefined || when.age_months !== undefined || when.customer !== undefined;
}

/**
 * Has the sales decided again, by a job, that come after sales whose place has changed. Costs no statement if no rule depends on earlier sales, or if
 * no later sale is known.
 */
export function reopenLaterSales(ctx: WriteCtx, facts: Facts): void {
  if (!mayDependOnHistory(facts.rewards)) return;
  const moved = movedSales(ctx, facts);
  const places = moved.flatMap((sale) => sale.places.filter((place) => place !== null));
  if (places.length === 0) return;
  const [first] = moved;
  // Of several sales, each comes after another one.
  const ownId = moved.length === 1 && !first!.hasOtherCustomer ? first!.id : null;
  const at = places.map((place) => place.at).reduce(earlierOf);
  const modes = new Set(places.map((place) => place.isLive));
  if (!hasLaterSales(facts, { ownId, at, modes })) return;
  const kinds = [...modes].flatMap((mode) => (mode ? [SALE_KINDS.merchant, SALE_KINDS.provider] : [SALE_KINDS.test]));
  const isLater = sql<boolean>`(sale.charged_at >= ${at}::timestamptz and sale.id is distinct from ${ownId} and sale.account_id = ${ctx.accountId}
    and ${KIND_OF_SALE} = any (${kinds}::int[]))`;
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

/** True if one of the facts is a later sale. They contain those of the customer, and of each referral those that rules tell apart. */
function hasLaterSales(
  { sales, rewards }: Facts,
  { ownId, at, modes }: { ownId: string | null; at: Instant; modes: ReadonlySet<boolean> },
): boolean {
  const isLater = (id: string, chargedAt: Instant, isLiveSale: boolean) =>
    id !== ownId && chargedAt >= at && modes.has(isLiveSale);
  return (
    sales.some(({ sale }) => isLater(sale.id, sale.charged_at, isLive(sale))) ||
    rewards!.history.some((other) => isLater(other.id, other.charged_at, other.is_live))
  );
}
