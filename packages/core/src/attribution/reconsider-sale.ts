import { getPlainCommission } from '../ledger/commissions/commission.queries.ts';
import { Sale } from '../ledger/sales/sale.entity.ts';
import { getSale } from '../ledger/sales/sale.queries.ts';
import { assignReferral, reconsiderSale as markReconsidered } from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { protectedRow } from '../platform/call/locks.ts';
import { find, foundOrThrow } from '../platform/call/records.ts';
import { DomainError } from '../platform/errors/errors.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { earnedFrom, findEarned, lockCustomerOf } from './assign-sale.ts';
import { ANYTHING, attribute, lockUnknownCustomerOf } from './attribute.ts';
import { ATTRIBUTION_REASONS } from './reasons.ts';
import type { ReconsideredSale } from './sale-decision.schema.ts';

/**
 * Decides again who earns from a sale that earned nothing, by the states and terms of now instead of those at the time of the charge
 * (docs/rules/attribution.md#history). If the sale then earns, facts undo this as little as an assignment by hand. Does nothing if the sale has earned a commission, unless a person has voided it and the facts give the sale to
 * another affiliate (docs/rules/attribution.md#paid-commissions).
 *
 * @throws NOT_FOUND; CONFLICT when another sale of the customer would lose its commission
 */
export async function reconsiderSale(ctx: WriteCtx, { id }: { id: string }): Promise<ReconsideredSale> {
  await lockUnknownCustomerOf(ctx, id);
  const customer = await lockCustomerOf(ctx, id, null);
  const before = await findEarned(ctx, id);
  const sale = foundOrThrow(await find(ctx, Sale, id), 'sale');
  if (before === null || (before.state === 'voided' && sale.contested !== null)) {
    const earning = await earnedFrom(ctx, sale.customer_id);
    const locked = protectedRow(sale);
    markReconsidered(ctx, locked);
    if (customer === null) {
      const referralId = sale.named_referral_id ?? sale.referral_id;
      const referral = referralId === null ? null : await find(ctx, Referral, referralId);
      await attribute(ctx, { of: 'changed sale', sale, customer, referrals: referral === null ? [] : [referral] });
    } else await attribute(ctx, { of: 'customer', customer, change: ANYTHING });
    // The sale may convert a claim that keeps the customer for good, or take a place under the limits of the campaign.
    const after = new Set(await earnedFrom(ctx, sale.customer_id));
    if (earning.some((earned) => !after.has(earned))) throw takesAway();
    if (sale.referral_id !== null && sale.no_commission_reason === null) assignReferral(ctx, locked, sale.referral_id);
  }
  const earned = await findEarned(ctx, id);
  return {
    sale: await getSale(ctx, id),
    commission: earned === null ? null : await getPlainCommission(ctx, earned.id),
    reason: sale.no_commission_reason,
  };
}

function takesAway(): DomainError {
  return new DomainError('CONFLICT', ATTRIBUTION_REASONS.other_sale_would_lose);
}
