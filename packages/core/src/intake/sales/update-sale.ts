import { findEarned } from '../../attribution/assign-sale.ts';
import { attribute } from '../../attribution/attribute.ts';
import { lockCustomer } from '../../attribution/claims/customers.ts';
import { getPlainCommission } from '../../ledger/commissions/commission.queries.ts';
import { settleCommission } from '../../ledger/earning/settle.ts';
import { countedRefunds } from '../../ledger/sales/refund.ts';
import { getListedSale } from '../../ledger/sales/sale-list.queries.ts';
import { isReportedByProvider, Sale } from '../../ledger/sales/sale.entity.ts';
import type { ListedSale, ReviewSale } from '../../ledger/sales/sale.schema.ts';
import { apportionSaleLines, keepSalePayment, markRefundsRepeated, setSaleAmounts } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { find, foundOrThrow } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { findReportedRefunds, lockSale } from './record-refund.ts';
import type { UpdatedSale, UpdateSale } from './tracking.schema.ts';

/**
 * Changes the metadata of a sale, and corrects the amounts of a sale that the merchant reported, e.g. of an order that has grown since. The commission follows by the terms under
 * which it was earned: an unpaid one gets the new amount, and an adjustment brings a claimed or paid one up or down
 * (docs/rules/intake.md#corrected-sales).
 *
 * @throws NOT_FOUND; CONFLICT for a sale whose amounts come from the payment provider; VALIDATION_ERROR for another currency, a tax above the
 * amount, and an amount below the refunds; LostRace when the sale's customer has changed since the customer was locked
 */
export async function updateSale(ctx: WriteCtx, { id, metadata, ...input }: Omit<UpdateSale, 'dry_run'>): Promise<UpdatedSale> {
  const { customer_id: lockedId } = foundOrThrow(await find(ctx, Sale, id), 'sale');
  // The customer is locked before everything else, as attribution requires.
  const customer = lockedId === null ? null : await lockCustomer(ctx, lockedId);
  const { sale, affiliate } = await lockSale(ctx, id);
  if (sale.customer_id !== lockedId) throw new LostRace();
  if (metadata !== undefined) saveMerchantData(ctx, Sale, sale, { metadata });
  const amounts = {
    charge_amount_cents: input.amount_cents ?? sale.charge_amount_cents,
    tax_amount_cents: input.tax_amount_cents ?? sale.tax_amount_cents,
  };
  if (Object.values(input).some((value) => value !== undefined)) assertCorrectable(sale, amounts, input.currency);
  const before = await adjustmentsOf(ctx, id);
  if (setSaleAmounts(ctx, sale, amounts)) {
    await apportionSaleLines(ctx, sale);
    // A sale without an affiliate has no commission.
    if (affiliate) await settleCommission(ctx, affiliate, sale);
    // A sale of nothing converts nobody and takes no place under a limit, so its amount may decide who earns.
    await attribute(ctx, { of: 'changed sale', sale, customer });
  }
  const earned = await findEarned(ctx, id);
  const adjustment = (await adjustmentsOf(ctx, id)).find((each) => !before.includes(each));
  return {
    ...(await getListedSale(ctx, id)),
    commission: earned === null ? null : await getPlainCommission(ctx, earned.id),
    adjustment: adjustment === undefined ? null : await getPlainCommission(ctx, adjustment),
  };
}

function assertCorrectable(
  sale: Sale,
  { charge_amount_cents: amount, tax_amount_cents: tax }: Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents'>,
  currency: string | undefined,
): void {
  if (isReportedByProvider(sale)) throw new DomainError('CONFLICT', INTAKE_REASONS.amounts_of_provider);
  if (currency !== undefined && currency !== sale.currency)
    throw invalid('currency', INTAKE_REASONS.currency_fixed({ currency: sale.currency }), 'immutable');
  if (tax > amount) throw invalid('tax_amount_cents', INTAKE_REASONS.more_than_amount, 'too_big');
  if (amount < sale.refund_amount_cents) throw invalid('amount_cents', INTAKE_REASONS.less_than_refunds, 'too_small');
}

/** Returns the ids of all adjustments that a sale has caused. */
async function adjustmentsOf({ db, accountId }: WriteCtx, saleId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('commission')
    .select('id')
    .where('account_id', '=', accountId)
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'adjustment')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

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
