import { countedRefunds } from '../../ledger/sales/counted-refunds.ts';
import { getListedSale } from '../../ledger/sales/sale-list.queries.ts';
import type { ListedSale, ReviewSale } from '../../ledger/sales/sale-list.schema.ts';
import type { Sale } from '../../ledger/sales/sale.entity.ts';
import { keepSalePayment, markRefundsRepeated } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { findReportedRefunds, lockSale } from './record-refund.ts';

/**
 * Records that a person has looked at a sale whose paid commission facts contradict (`keep`), or whose refunds are in doubt (`same_refunds`), and
 * that its money is right (docs/rules/attribution.md#review-of-sales). Moves no money. Does nothing if there is nothing to review.
 *
 * @throws NOT_FOUND; CONFLICT when the sale has changed since the person looked at it
 */
export async function reviewSale(ctx: WriteCtx, { id, review_action, updated_at }: ReviewSale): Promise<ListedSale> {
  const { sale } = await lockSale(ctx, id);
  if (review_action === 'keep') {
    if (sale.contested !== null && sale.contested.kept === undefined) {
      assertUnchanged(sale, updated_at);
      keepSalePayment(ctx, sale, sale.contested);
    }
  } else if (sale.uncounted_refund_cents !== null) {
    assertUnchanged(sale, updated_at);
    await markUncountedRepeated(ctx, sale);
  }
  return getListedSale(ctx, id);
}

async function markUncountedRepeated(ctx: WriteCtx, sale: Locked<Sale>): Promise<void> {
  const refunds = await findReportedRefunds(ctx, sale.id);
  const counted = new Set(countedRefunds(sale.id, refunds));
  const others = refunds.filter((refund) => !counted.has(refund)).map(({ external_id }) => external_id);
  await markRefundsRepeated(ctx, sale, others);
}

function assertUnchanged(sale: Sale, seenAt: string | undefined): void {
  if (seenAt !== undefined && seenAt !== sale.updated_at)
    throw new DomainError('CONFLICT', INTAKE_REASONS.sale_changed, { reason: 'changed' });
}
