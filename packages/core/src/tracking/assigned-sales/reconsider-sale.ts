import { getPlainCommission } from '../../earnings/commissions/commission.queries.ts';
import { Sale } from '../../earnings/sales/sale.entity.ts';
import { getSale } from '../../earnings/sales/sale.queries.ts';
import { reconsiderSale as markReconsidered } from '../../earnings/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { find, get } from '../../platform/call/records.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { attributeSale, lockUnknownCustomerOf } from '../attribution/attribute-sale.ts';
import { findEarned, lockCustomerOf } from './assign-sale.ts';
import type { ReconsideredSale } from './reconsider-sale.schema.ts';

/**
 * Decides again who earns from a sale that earned nothing, by the states and terms of now instead of those at the time of the charge
 * (docs/domain-rules.md#history). Does nothing if the sale has earned a commission, unless a person has voided it and the facts give the sale to
 * another affiliate (docs/domain-rules.md#paid-commissions).
 *
 * @throws NOT_FOUND
 */
export async function reconsiderSale(ctx: WriteCtx, { id }: { id: string }): Promise<ReconsideredSale> {
  const unknown = await lockUnknownCustomerOf(ctx, id);
  const customer = await lockCustomerOf(ctx, id, null);
  const before = await findEarned(ctx, id);
  const { contested } = await get(ctx, Sale, id);
  if (before === null || (before.state === 'voided' && contested !== null)) {
    const sale = await get(ctx, Sale, id);
    markReconsidered(ctx, protectedBy(unknown, sale));
    const referralId = customer === null ? (sale.named_referral_id ?? sale.referral_id) : null;
    const referral = referralId === null ? null : await find(ctx, Referral, referralId);
    await attributeSale(ctx, customer, sale, { referrals: referral === null ? [] : [referral], promo: null });
  }
  const earned = await findEarned(ctx, id);
  const sale = await get(ctx, Sale, id);
  return {
    sale: await getSale(ctx, id),
    commission: earned === null ? null : await getPlainCommission(ctx, earned.id),
    reason: sale.no_commission_reason,
  };
}
