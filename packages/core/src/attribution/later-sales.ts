/** Has later sales decided again, because their place among the sales of a referral or a customer has changed (docs/rules/rewards.md#versions). */
import { sql } from 'kysely';
import { queueDecisions } from '../ledger/earning/queue-decisions.ts';
import { isLive, KIND_OF_SALE, SALE_KINDS } from '../ledger/sales/sale-mode.ts';
import type { Sale } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import type { RuleVersion } from '../rewards/rules/rule-versions.ts';
import type { Verdict } from './decide.ts';
import { type Facts, type SaleFact, timesOf } from './facts.ts';

/** A sale that later sales may follow without their commissions taking it into account. */
interface Arrival {
  sale: Sale;
  /** Sales that were charged from this time on follow. */
  at: Instant;
  /** The referral to which the sale was attributed before the decision. */
  formerId: string | null;
}

/**
 * Returns the sales that the decision places among others: new ones, those with another time, and those that move to another referral. Must be called
 * before the decision is applied. Empty if no rule depends on earlier sales.
 */
export function arrivalsOf({ rewards }: Facts, { sales }: Verdict): Arrival[] {
  if (!mayDependOnHistory(rewards)) return [];
  return sales.flatMap(({ fact, claim, isPaidElsewhere }): Arrival[] => {
    const { sale, isCreated, isOnlyCounted } = fact;
    const isMoved = !isPaidElsewhere && (claim?.referral_id ?? null) !== sale.referral_id;
    if (isOnlyCounted || !(isCreated || isMoved || sale.redated_from !== null)) return [];
    return [{ sale, at: timesOf(fact).reduce(earlierOf), formerId: sale.referral_id }];
  });
}

function mayDependOnHistory(rewards: Facts['rewards']): boolean {
  return rewards !== null && [...rewards.rules.values()].flat().some(dependsOnHistory);
}

/** True if a rule depends on the earlier sales of a referral or a customer. */
export function dependsOnHistory({ when }: Pick<RuleVersion, 'when'>): boolean {
  return when.sale_number !== undefined || when.age_months !== undefined || when.customer !== undefined;
}

/** Has the sales decided again that were charged after arrivals, by a job. Costs no statement if no later sale is known. */
export function reopenLaterSales(ctx: WriteCtx, facts: Facts, arrivals: readonly Arrival[]): void {
  for (const { sale, at, formerId } of arrivals) {
    if (!hasLaterSales(facts, sale, at)) continue;
    const isLater = sql<boolean>`(sale.charged_at >= ${at}::timestamptz and sale.id <> ${sale.id} and sale.account_id = ${ctx.accountId})`;
    const kinds = isLive(sale) ? [SALE_KINDS.merchant, SALE_KINDS.provider] : [SALE_KINDS.test];
    queueDecisions(
      ctx,
      sql`
        select id, account_id from sale
        where referral_id = any (${[sale.referral_id, formerId].filter((id) => id !== null)}::text[]) and ${KIND_OF_SALE} = any (${kinds}::int[]) and ${isLater}
        union
        select id, account_id from sale where customer_id = ${sale.customer_id} and ${KIND_OF_SALE} = any (${kinds}::int[]) and ${isLater}`,
    );
  }
}

/**
 * True if the customer of a sale becomes known by the decision, so that the sale takes a place among the customer's other sales. Must be called before the
 * decision is applied.
 */
export function isCustomerLearned({ customer, sales }: Facts): boolean {
  if (customer === null || sales.length < 2) return false;
  return sales.some(({ sale, isCreated, isOnlyCounted }) => !isCreated && !isOnlyCounted && sale.customer_id === null);
}

/**
 * Has all sales of the customer decided again, by a job, if the customer of some of them has changed and a rule depends on earlier sales: because the
 * customer was not known before, or because this transaction has merged another customer into the customer.
 *
 * @param isLearned the result of `isCustomerLearned`
 */
export function reopenSalesOfCustomer(ctx: WriteCtx, { customer, rewards }: Facts, isLearned: boolean): void {
  if (customer === null || !mayDependOnHistory(rewards)) return;
  const isMerged = () =>
    ctx.records.changes.some(
      (change) => 'previous' in change && change.table === 'sale' && typeof change.previous?.['customer_id'] === 'string',
    );
  if (!isLearned && !isMerged()) return;
  queueDecisions(ctx, sql`select id, account_id from sale where customer_id = ${customer.id} and account_id = ${ctx.accountId}`);
}

/** True if one of the facts is a later sale. They contain those of the customer, and of each referral those that rules tell apart. */
function hasLaterSales({ sales, rewards }: Facts, { id, ...own }: Sale, at: Instant): boolean {
  const isLater = (otherId: string, chargedAt: Instant, isLiveSale: boolean) =>
    otherId !== id && chargedAt >= at && isLiveSale === isLive(own);
  return (
    sales.some((other: SaleFact) => isLater(other.sale.id, other.sale.charged_at, isLive(other.sale))) ||
    rewards!.history.some((other) => isLater(other.id, other.charged_at, other.is_live))
  );
}
