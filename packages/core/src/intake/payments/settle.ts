import { attribute, lockCustomersOf } from '../../attribution/attribute.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { isCharged, type Report, returnedTotal } from '../sales/facts-of-payment.ts';
import { type NewSale, recordSale } from '../sales/record-sale.ts';
import { amend, findTold, keepPayment, paidOutside, withImportedCharge } from './known-payment.ts';
import { adopt, findReport } from './payment-of-report.ts';

/** Facts about a payment beside its snapshot. */
interface Told {
  /** The treatment of a payment outside the provider. */
  outside?: OutsidePayments;
  /** The merchant's report; null if a source tells the payment. */
  report?: Report | null;
}

/** The sale of a payment. `commission` is null for a sale that was known before. */
type Settled = NewSale & { isNew: boolean };

/**
 * Makes the sale of a payment agree with what a source or a merchant's report tells of it: records the sale once something was charged, attributes it
 * once a referrer is known, corrects its amounts and names, and applies its refunds and disputes. Reduces other sales that name the payment to zero.
 * Idempotent.
 *
 * @returns null if nothing was charged, and for a snapshot of a source that is older than the one before
 * @throws as `trackSale`, for a report
 */
export async function settle(
  ctx: WriteCtx,
  told: PaymentSeen,
  { outside = 'count', report = null }: Told,
): Promise<Settled | null> {
  const seen = isCharged(told) ? told : await withImportedCharge(ctx, told);
  if (seen === null) return null;
  const found = report === null ? await findTold(ctx, seen) : await findReport(ctx, seen, report);
  if (found === null) return null;
  const [known] = found.sales;
  const paid_outside = found.report === null ? paidOutside(seen, found.sales, outside) : null;
  if (known === undefined) {
    // If nothing is left of what was paid outside the provider, other payments have it.
    if (seen.paidOutside && seen.charged.amount.amount === 0) return null;
    const recorded = await recordSale(ctx, seen, found, paid_outside);
    if (report === null) keepPayment(ctx, recorded.saleId, seen, { referral: found.referral, formerIds: [] });
    // The commission is earned first, so that a refund reduces it in every order of the facts.
    if (returnedTotal(seen) > 0) await settle(ctx, seen, { outside, report });
    return { ...recorded, isNew: true };
  }
  const news = found.report === null ? await amend(ctx, seen, found, paid_outside) : await adopt(ctx, seen, found);
  // For one sale, the locks are taken in the right order anyway.
  if (news.length > 1) await lockCustomersOf(ctx, news);
  for (const each of news) await ctx.locks.subject('sale of a payment', () => attribute(ctx, { of: 'sale', ...each }));
  return { saleId: known.id, commission: null, isNew: false };
}
