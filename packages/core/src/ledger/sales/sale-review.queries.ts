import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { SaleReview } from './sale-review.schema.ts';

/** SQL condition: a person has decided that the payment of the contested sale stands. */
export const IS_PAYMENT_KEPT = sql<boolean>`(sale.contested -> 'kept' is not null)`;

/** SQL condition: the commission was earned from the sale that it names, by the facts that were known then. */
const IS_OF_SALE = sql<boolean>`(commission.sale_id = sale.id and commission.kind = 'sale' and not commission.superseded)`;

/**
 * SQL condition: a person should look at the sale (docs/rules/attribution.md#review-of-sales). Each alternative has an index. The commission is looked
 * up by a scalar query, because PostgreSQL might hash the commissions of all sales for `exists`.
 */
export const NEEDS_REVIEW = sql<boolean>`(
  sale.contested is not null and not ${IS_PAYMENT_KEPT}
    and coalesce((select true from commission where ${IS_OF_SALE} and commission.state <> 'voided' limit 1), false)
  or sale.uncounted_refund_cents is not null)`;

/** Returns what a person should look at about each of the sales, in their order. Null if there is nothing. Takes one statement. */
export async function findReviews({ db, accountId }: Ctx, sales: readonly { id: string }[]): Promise<(SaleReview | null)[]> {
  const ids = sales.map(({ id }) => id);
  const { rows } = await sql<SaleReview & { id: string }>`
    select sale.id, sale.uncounted_refund_cents, contest.contested
    from sale left join lateral (
      select jsonb_build_object('commission_id', commission.id, 'commission_state', commission.state, 'commission_cents', commission.amount_cents,
        'earned_cents', (
          select coalesce(sum(amount_cents), 0) from commission earned
          where earned.sale_id = sale.id and earned.kind in ('sale', 'bonus') and not earned.superseded and earned.state <> 'voided'
            and earned.affiliate_id = commission.affiliate_id and earned.currency = commission.currency),
        'currency', commission.currency, 'affiliate_id', affiliate.id, 'affiliate_email', affiliate.email, 'no_commission_reason', sale.contested ->> 'reason',
        'amount_cents', sale.contested -> 'amount_cents') as contested
      from commission left join affiliate on affiliate.account_id = sale.account_id and affiliate.id = sale.contested ->> 'affiliate_id'
      where ${IS_OF_SALE} and (commission.state = 'voided' or not ${IS_PAYMENT_KEPT})
      order by commission.id desc limit 1
    ) contest on sale.contested is not null
    where sale.account_id = ${accountId} and sale.id = any(${ids})`.execute(db);
  const reviews = new Map(rows.map(({ id, ...review }) => [id, review]));
  return ids.map((id) => {
    const review = reviews.get(id);
    return review && (review.contested !== null || review.uncounted_refund_cents !== null) ? review : null;
  });
}
